"""The state and texts of a scene, without drawing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.nav.routes import RouteError
from aascompile.nav.sight import Views, make_sight
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.store.engine import read_engine, write_engine
from aascompile.viewer import palette
from aascompile.viewer.colouring import AREA_KINDS, COLOURINGS
from aascompile.viewer.meshes import Shape
from aascompile.viewer.options import ViewOptions, apply, camera_of
from aascompile.viewer.scene import LAYER_NAMES, QUIET, Scene, SceneError
from tests.conftest import ROOT
from tests.viewer.samples import sample, scene


def kinds(shown: Scene) -> set[str]:
    """Kinds of areas whose shells are drawn."""
    return {list(AREA_KINDS)[shown.area_kind[area]] for area in np.unique(shown.parts()["areas"].mesh.item)}


def test_parts_stay_the_same_objects_until_they_change():
    shown = scene("pillars")
    first = shown.parts()
    assert all(part is first[name] for name, part in shown.parts().items())
    shown.toggle_link_kind(Travel.WALK)
    second = shown.parts()
    changed = {name for name, part in second.items() if part is not first[name]}
    assert changed == {"links", "links heads"}
    shown.colour("cluster")
    third = shown.parts()
    assert {name for name, part in third.items() if part is not second[name]} == {"areas", "areas edges", "ground"} | (
        {"unreached traps"} & set(third)
    )


def test_number_of_parts_does_not_grow_with_the_map():
    assert set(scene("pillars").parts()) - {"unreached traps"} == set(scene("jumppad").parts()) - {"unreached traps"}
    assert len(scene("slanted").parts()) <= 10


@pytest.mark.parametrize("layer", LAYER_NAMES)
def test_layers_switch_on_and_off(layer):
    shown = scene(
        {
            "ladders": "ladder",
            "leak": "leak",
            "liquid": "pool_deep",
            "gaps": "hole",
            "unreached": "rocketjump",
            "links": "gap",
            "movers": "train",
            "volumes": "by_hand_entities",
        }.get(layer, "clusterportal")
    )
    shown.show_only([layer])
    own = set(shown.parts()) or {words.text for words in shown.labels()}
    assert own
    assert all(name.split()[0] == layer for name in shown.parts())
    shown.toggle(layer)
    assert not shown.parts()
    assert not shown.labels()


def test_filters_by_kind_and_travel_type():
    shown = scene("lava")
    assert kinds(shown) == {"ground", "hazard"}
    shown.toggle_area_kind("hazard")
    shown.toggle_area_kind("air")
    assert kinds(shown) == {"ground", "air"}
    links = shown.compiled.links
    shown.hide_link_kinds(set(links.kind.tolist()) - {Travel.WALK})
    assert set(links.kind[np.unique(shown.parts()["links"].mesh.item)].tolist()) == {Travel.WALK}
    with pytest.raises(SceneError, match="unknown kind of area 'mud': choose from ground, crouch"):
        shown.toggle_area_kind("mud")


def test_unknown_names_are_reported():
    shown = scene("box")
    for operation, expected in (
        (lambda: shown.toggle("roof"), "unknown layer 'roof': choose from map, areas"),
        (lambda: shown.colour("mood"), "areas cannot be coloured by 'mood': choose from kind"),
        (lambda: shown.pick(2), "there is no area 2: areas are numbered 0 to 1"),
        (lambda: shown.set_goal(-2), "there is no area -2"),
        (lambda: apply(ViewOptions(camera="below"), shown), "unknown camera 'below': use top, iso, area:N"),
        (lambda: apply(ViewOptions(layers="areas,rof"), shown), "unknown layer 'rof'"),
        (lambda: apply(ViewOptions(links="fly"), shown), "unknown travel type 'fly': choose from walk"),
    ):
        with pytest.raises(SceneError, match=expected):
            operation()
    with pytest.raises(SceneError, match="no areas"):
        Scene(replace(sample("box"), areas=replace(sample("box").areas, area_flags=np.zeros(0, np.uint32))))


def test_areas_beyond_any_map_are_rejected():
    areas = sample("box").areas
    with pytest.raises(SceneError, match="farther out than any map"):
        Scene(replace(sample("box"), areas=replace(areas, area_maxs=areas.area_maxs * 1e300)))


@pytest.mark.parametrize("by", sorted(set(COLOURINGS) - {"exposure", "sight"}))
def test_legend_lists_every_colour(by):
    shown = scene("clusterportal")
    shown.colour(by)
    shown.set_goal(0)
    colouring = shown.colouring
    assert colouring.colours.shape == (len(shown.compiled.areas), 3)
    assert colouring.legend
    if by in ("links", "time"):
        return
    assert sum(entry.count for entry in colouring.legend) == len(shown.compiled.areas)
    for area, colour in enumerate(colouring.colours.astype(float)):
        # Shades of a colour lie on the line from black through it.
        shades = (np.array(entry.colour) / np.linalg.norm(entry.colour) for entry in colouring.legend)
        assert max(float(shade @ colour) for shade in shades) >= 0.97 * np.linalg.norm(colour), area


def test_adjacent_clusters_differ_in_colour():
    shown = scene("clusterportal")
    shown.colour("cluster")
    clusters = shown.compiled.clusters
    colours = {entry.text: entry.colour for entry in shown.colouring.legend}
    assert [entry.text for entry in shown.colouring.legend][:3] == ["cluster 0", "cluster 1", "cluster 2"]
    for a, b in clusters.portal_cluster.tolist():
        assert colours[f"cluster {a}"] != colours[f"cluster {b}"]
    assert colours["portals"] == palette.PORTAL


def test_colours_by_time_follow_the_travel_time():
    shown = scene("stairs")
    shown.colour("time")
    assert shown.colouring.legend == ()
    ground = np.flatnonzero(shown.compiled.areas.area_flags & AreaFlag.GROUNDED)
    goal = int(ground[np.argmin(shown.compiled.areas.area_centre[ground, 0])])
    shown.set_goal(goal)
    times = shown.router.times_to(goal)
    light = shown.colouring.colours.astype(int).sum(axis=1)
    reached = np.flatnonzero(np.isfinite(times))
    assert len(reached) > 5
    order = reached[np.argsort(times[reached])]
    assert np.all(np.diff(light[order]) >= 0)
    assert shown.colouring.legend[-1].text == "no route"


def test_card_lists_facts_and_links():
    shown = scene("jumppad")
    pad = int(np.flatnonzero(shown.compiled.areas.area_contents & Kind.JUMPPAD)[0])
    shown.pick(pad)
    card = shown.card()
    links = shown.compiled.links
    assert card[0] == f"area {pad}"
    facts = dict(line.split(maxsplit=1) for line in card[1:9])
    assert facts["kind"] == "trigger"
    assert facts["flags"] == "grounded"
    assert facts["contents"] == "jumppad"
    assert facts["trigger"] == "model 1"
    assert facts["presence"] == "standing, crouched"
    assert facts["cluster"] == "0"
    low, high = shown.compiled.areas.area_mins[pad], shown.compiled.areas.area_maxs[pad]
    assert facts["bounds"] == "({:.0f} {:.0f} {:.0f}) to ({:.0f} {:.0f} {:.0f})".format(*low, *high)
    out, into = np.flatnonzero(links.source == pad), np.flatnonzero(links.target == pad)
    assert f"  links out: {len(out)}" in card
    assert f"  links in: {len(into)}" in card
    (up,) = np.flatnonzero(links.kind == Travel.JUMP_PAD)
    assert f"    jump pad        to {links.target[up]:<5}   2.50 s" in card
    # Neighbours are highlighted, and the links to and from them are drawn.
    parts = shown.parts()
    near = {*links.target[out].tolist(), *links.source[into].tolist()} - {pad}
    assert set(np.unique(parts["near"].mesh.item).tolist()) == near
    assert set(np.unique(parts["picked"].mesh.item).tolist()) == {pad}
    assert set(np.unique(parts["picked links"].mesh.item).tolist()) == {*out.tolist(), *into.tolist()}
    shown.pick(-1)
    assert shown.card() == []
    assert "picked" not in shown.parts()


def test_route_is_listed_and_drawn():
    shown = scene("pillars")
    links = shown.compiled.links
    jump = int(np.flatnonzero(links.kind == Travel.JUMP)[0])
    start, goal = int(links.source[jump]), int(links.target[jump])
    shown.set_start(start)
    assert shown.route is None
    shown.set_goal(goal)
    assert shown.route is not None
    lines = shown.route_lines()
    assert lines[0] == f"route {start} to {goal}: {shown.route.time / 100:.2f} s, {len(shown.route)} links"
    assert len(lines) == len(shown.route) + 1
    assert lines[-1].endswith(f"to {goal}")
    path = shown.parts()["route"].mesh
    assert path.shape is Shape.LINES
    assert path.xyz[0, :2] == pytest.approx(shown.compiled.areas.area_centre[start, :2])
    words = {text for labels in shown.labels() for text in labels.text}
    assert {f"start {start}", f"goal {goal}"} <= words
    shown.clear()
    assert (shown.route, shown.start, shown.goal) == (None, -1, -1)
    assert "route" not in shown.parts()


def test_missing_route_is_reported():
    shown = scene("ledge")
    (link,) = range(len(shown.compiled.links))
    low, high = int(shown.compiled.links.target[link]), int(shown.compiled.links.source[link])
    shown.set_start(low)
    shown.set_goal(high)
    assert shown.route is None
    with pytest.raises(RouteError, match=f"from area {low} to area {high}") as error:
        shown.router.route(low, high)
    assert shown.message == str(error.value)


def test_cuts_limit_every_part():
    shown = scene("jumppad")
    shown.cut_height(high=100.0)
    assert all(part.mesh.xyz[:, 2].max() <= 100.0 + 1e-9 for part in shown.parts().values())
    shown.pick(int(shown.compiled.links.source[0]))
    assert shown.parts()["picked links"].mesh.item.tolist() == np.flatnonzero(shown.picked_links).tolist()
    shown.pick(-1)
    shown.cut_box((-100, -50, 0), (40, 50, 300))
    for part in shown.parts().values():
        assert np.all(part.mesh.xyz >= np.array([-100, -50, 0]) - 1e-9)
        assert np.all(part.mesh.xyz <= np.array([40, 50, 300]) + 1e-9)
    before = len(shown.parts()["areas"].mesh)
    shown.uncut()
    assert len(shown.parts()["areas"].mesh) > before


def test_focus_keeps_the_picked_area_and_its_neighbours():
    shown = scene("pillars")
    area = int(shown.compiled.links.source[0])
    shown.pick(area)
    shown.focus = True
    assert set(np.unique(shown.parts()["areas"].mesh.item).tolist()) == set(np.flatnonzero(shown.neighbours).tolist())
    links = shown.compiled.links
    drawn = np.unique(shown.parts()["links"].mesh.item)
    assert np.all((links.source[drawn] == area) | (links.target[drawn] == area))


def test_entities_have_names_and_marks():
    shown = scene("jumppad")
    shown.toggle("names")
    words = {text for labels in shown.labels() for text in labels.text}
    assert "spawn" in words
    assert set(shown.marks.sort) == {"spawn", "item", "target"}
    assert len(shown.parts()["entities"].mesh) == 8 * np.sum(shown.shown_marks)
    assert shown.marks.sort.count("target") == len(shown.marks.row) - np.sum(shown.shown_marks), "targets are hidden"
    shown.toggle_entity_kind("target")
    assert len(shown.parts()["entities"].mesh) == 8 * len(shown.marks.row)


def test_scene_of_an_engine_file():
    compiled = read_engine(write_engine(sample("pillars")), "pillars.aas")
    shown = Scene(compiled)
    parts = shown.parts()
    assert {"areas", "ground", "links"} <= set(parts)
    assert "map" not in parts
    assert "entities" not in parts
    assert camera_of(ViewOptions(), shown, 1.5).position[2] > 0.0


def test_scene_without_links_or_clusters():
    shown = Scene(replace(sample("pillars"), links=None, clusters=None))
    for by in COLOURINGS:
        shown.colour(by)
        assert "areas" in shown.parts()
    assert "links" not in shown.parts()
    shown.pick(0)
    assert "  links     not computed" in shown.card()
    assert "  cluster   not computed" in shown.card()
    shown.set_start(0)
    shown.set_goal(1)
    assert "not computed" in shown.message


def test_options_are_applied():
    shown = scene("pillars")
    apply(
        ViewOptions(layers="+names,-map", links="-walk,-rocket_jump", areas="+air", camera="area:3", near=50.0), shown
    )
    assert shown.layers["names"]
    assert not shown.layers["map"]
    assert shown.hidden_links == {*QUIET, Travel.ROCKET_JUMP}
    assert shown.hidden_areas == set()
    assert shown.picked == 3
    assert shown.cut.mins == pytest.approx(shown.compiled.areas.area_mins[3] - 50.0)
    middle = ",".join(f"{value:.3f}" for value in shown.compiled.areas.area_centre[5])
    apply(ViewOptions(camera=f"area:{middle}"), shown)
    assert shown.picked == 5
    room = scene("box")
    apply(ViewOptions(camera="area:0,0,0"), room)
    assert room.picked == areas_at(tree_of(room.compiled.areas), [(0.0, 0.0, 24.5)])[0], "feet are there, not an origin"
    with pytest.raises(SceneError, match="'9999,0,0': no player fits there, nor right above"):
        apply(ViewOptions(goal="9999,0,0"), shown)
    with pytest.raises(SceneError, match="'here': is neither an area number nor a point x,y,z"):
        apply(ViewOptions(camera="area:here"), shown)
    shown.uncut()
    apply(ViewOptions(layers="areas", links="jump", below=64.0), shown)
    assert [name for name, on in shown.layers.items() if on] == ["areas"]
    assert shown.hidden_links == {int(kind) for kind in Travel} - {Travel.JUMP}
    assert shown.cut.maxs[2] == 64.0


def test_comparison_of_two_files():
    shown = Scene(sample("clip"), before=sample("doorway"))
    assert shown.colour_by == "change"
    change = shown.change
    assert shown.title == "clip.bsp: areas: 2 new, 4 changed, 2 gone; links: 4 gained, 4 lost"
    parts = shown.parts()
    assert set(np.unique(parts["areas"].mesh.item[(parts["areas"].mesh.colour[:, 1] > 160)]).tolist())
    assert np.all(parts["gone"].mesh.colour == palette.LOST)
    assert np.all(parts["links"].mesh.colour == palette.GAINED)
    assert np.array_equal(np.unique(parts["links"].mesh.item), np.flatnonzero(change.gained))
    # The old doorway and the new one lie at opposite ends along y.
    new = np.flatnonzero(change.area == 2)
    gone = parts["gone"].mesh.xyz[:, 1]
    assert (
        gone.min() > shown.compiled.areas.area_maxs[new, 1].max()
        or gone.max() < shown.compiled.areas.area_mins[new, 1].min()
    )
    rows = {row.text for section in shown.legend() for row in section.rows}
    assert {"new 2", "changed 4", "gone 2", "gained 4", "lost 4"} <= rows
    shown.toggle("gone")
    shown.toggle("lost")
    assert not {"gone", "lost"} & set(shown.parts())
    shown.colour("kind")
    assert len(np.unique(shown.parts()["links"].mesh.item)) == len(shown.compiled.links)


def test_comparison_of_equal_files_shows_no_change():
    shown = Scene(sample("stairs"), before=sample("stairs"))
    assert shown.title.endswith("areas: 0 new, 0 changed, 0 gone; links: 0 gained, 0 lost")
    assert not {"gone", "lost", "links"} & set(shown.parts())


def test_what_is_not_reached_is_shown():
    """The item that needs a rocket jump is marked, with the attempt that comes nearest and by how much it misses."""
    shown = scene("rocketjump")
    assert shown.colour_by == "reached"
    assert {"unreached", "unreached arcs"} <= set(shown.parts())
    texts = [text for words in shown.labels() for text in words.text]
    assert "quad" in texts
    assert any(text.endswith(" units too high") for text in texts)
    legend = {entry.text: entry.count for entry in shown.colouring.legend}
    assert legend["not reached"] == 1
    goal = int(shown.compiled.places.area[-1])
    shown.pick(goal)
    card = "\n".join(shown.card())
    assert "  holds     item_quad" in card
    assert "  reached   from no spawn" in card
    assert "  why       item_quad: a rise of 200 units" in card
    assert scene("doorway").colour_by == "kind"


def test_a_picture_of_what_is_not_reached():
    shown = scene("rocketjump")
    options = ViewOptions(unreached=True)
    apply(options, shown)
    assert not shown.layers["links"]
    assert shown.colour_by == "reached"
    camera = camera_of(options, shown, 1.5)
    assert np.linalg.norm(np.subtract(camera.position, camera.target)) > 256.0
    with pytest.raises(SceneError, match="nothing is known to be unreached"):
        apply(options, Scene(replace(sample("rocketjump"), links=None)))


def test_walks_are_drawn_only_around_what_is_picked():
    shown = scene("doorway")
    assert "links" not in shown.parts()
    shown.pick(int(shown.compiled.links.source[0]))
    drawn = shown.parts()["picked links"].mesh.item
    assert set(shown.compiled.links.kind[drawn].tolist()) == {Travel.WALK}


def test_without_a_route_both_ends_are_shown():
    shown = scene("rocketjump")
    options = ViewOptions(camera="route:item_quad/spawn:0")
    apply(options, shown)
    assert (shown.start >= 0, shown.goal >= 0) == (True, True)
    camera_of(options, shown, 1.5)


def test_alternatives_are_drawn_listed_and_in_the_legend():
    shown = scene("pillars")
    start, goal = 4, 3
    shown.set_start(start)
    shown.set_goal(goal)
    assert shown.other_routes == ()
    assert "alternative 1" not in shown.parts()
    shown.toggle_alternatives()
    expected = shown.router.alternatives(start, goal, 4)
    assert len(expected) > 1, "the sample has several ways round the pillars"
    assert [route.rows.tolist() for route in (shown.route, *shown.other_routes)] == [r.rows.tolist() for r in expected]
    parts = shown.parts()
    for number, other in enumerate(shown.other_routes):
        assert (parts[f"alternative {number + 1}"].mesh.colour[0] == palette.ALTERNATIVES[number]).all()
        assert f"alternative {number + 1}: {other.seconds:.2f} s, {len(other)} links" in shown.route_lines()
    routes = next(section for section in shown.legend() if section.title == "routes")
    assert len(routes.rows) == len(expected)
    shown.toggle_alternatives()
    assert shown.other_routes == ()
    assert "alternative 1" not in shown.parts()


def test_colours_by_sight_and_exposure():
    bare = scene("pillars")
    for by in ("exposure", "sight"):
        bare.colour(by)
        assert bare.colouring.title == "the file has no sight: run aas sight"
    compiled = sample("pillars")
    shown = Scene(replace(compiled, sight=make_sight(compiled)))
    views = Views(shown.compiled)
    shown.colour("exposure")
    order = np.argsort(views.exposure)[: int(np.isfinite(views.exposure).sum())]
    ends = shown.colouring.colours[order[[0, -1]]]
    assert shown.colouring.legend[-1].text == "air"
    assert (ends[1] == palette.ramp(np.ones(1))[0]).all()
    shown.colour("sight")
    assert shown.colouring.title == "sight: no area is picked"
    before = shown.parts()["ground"]
    area = int(np.flatnonzero(views.has)[0])
    shown.pick(area)
    shares = views.sees(area, np.arange(len(compiled.areas)))
    seen = shares > 0.0
    assert seen.any()
    assert not seen.all()
    assert (shown.colouring.colours[~seen] == (84, 90, 100)).all()
    assert shown.colouring.legend[-1].count == int((~seen).sum())
    assert shown.parts()["ground"] is not before, "the picture changes with the picked area"


# --- entities, and what is not reached --------------------------------------------------------------------------------


def weak(name: str) -> Scene:
    """A sample compiled for players who hardly jump: its item is not reached."""
    from aascompile.api import compile_map
    from aascompile.settings import QUAKE3

    settings = replace(QUAKE3, physics=replace(QUAKE3.physics, jump_velocity=120.0))
    return Scene(compile_map(str(ROOT / "samples" / f"{name}.bsp"), settings))


def test_an_entity_is_picked_with_its_area():
    shown = scene("jumppad")
    mark = shown.marks.sort.index("item")
    shown.pick_entity(mark)
    places = shown.compiled.places
    assert shown.picked == places.area[places.entity == shown.marks.row[mark]][0]
    lines = shown.card()
    assert lines[0] == f"item_health (entity {shown.marks.row[mark]})"
    assert f"  lies in   area {shown.picked}" in lines
    assert f"area {shown.picked}" in lines
    assert any(line.startswith("  reached   from 2 of 2 spawns") for line in lines)
    assert {"picked entity", "picked"} <= set(shown.parts())
    shown.pick(0)
    assert shown.picked_entity == -1
    with pytest.raises(SceneError, match="there is no mark 99"):
        shown.pick_entity(99)


def test_the_entity_under_the_mouse_is_named():
    shown = scene("jumppad")
    before = {text for labels in shown.labels() for text in labels.text}
    shown.hovered = shown.marks.sort.index("spawn")
    after = {text for labels in shown.labels() for text in labels.text}
    assert after - before == {f"info_player_deathmatch (entity {shown.marks.row[shown.hovered]})"}


def test_the_card_of_an_unreached_item_says_why():
    shown = weak("barrier")
    assert shown.colour_by == "reached"
    mark = shown.marks.sort.index("item")
    shown.pick_entity(mark)
    words = " ".join(" ".join(shown.card()).split())
    assert "reached from no spawn" in words
    assert "too high" in words
    assert "lower it by" in words
    shown.show(["unreached"], on=False)
    shown.colour("kind")
    why = shown.ask_why()
    assert why is not None
    assert shown.marks.row[mark] in why.entities
    assert shown.colour_by == "reached"
    assert {"unreached", "unreached arcs"} <= set(shown.parts())


def test_asking_why_of_what_is_reached_says_what_to_do():
    shown = scene("jumppad")
    assert shown.ask_why() is None
    assert shown.message == "pick an item or area that is not reached, to see why"


def test_a_route_that_does_not_exist_is_still_shown():
    shown = scene("ledge")
    shown.set_start(1)
    shown.set_goal(2)
    assert shown.route is None
    assert shown.message == "there is no route from area 1 to area 2"
    parts = shown.parts()
    assert {"start", "goal", "start island", "goal island", "route miss"} <= set(parts)
    assert set(parts["start island"].mesh.item.tolist()) == {1}
    assert set(parts["goal island"].mesh.item.tolist()) == {2}
    lines = shown.route_lines()
    assert lines[0] == "no route from 1 to 2"
    assert "too high" in " ".join(" ".join(lines).split())
    assert any("too high" in text for labels in shown.labels() for text in labels.text)
    shown.set_goal(1)
    assert "route miss" not in shown.parts()


def test_the_leak_has_a_row_only_in_maps_that_leak():
    rows = {row.text for section in scene("box").legend() if section.title == "layers" for row in section.rows}
    assert "leak" not in rows
    assert "map" in rows


def test_links_of_one_teleporter_are_drawn_as_one():
    shown = scene("teleporter")
    links = shown.compiled.links
    rows = np.flatnonzero(links.kind == Travel.TELEPORT)
    assert np.sum(shown.bundled[rows]) == len(np.unique(shown.compiled.areas.area_trigger[links.source[rows]]))
    assert np.all(shown.bundled[links.model < 0] | (links.kind[links.model < 0] == Travel.TELEPORT))


def test_death_pits_are_dark_and_outside_the_frame():
    shown = scene("pit")
    deep = ~shown.played & (shown.compiled.areas.area_flags & AreaFlag.GROUNDED != 0)
    if deep.any():
        colours = shown.colouring.colours.astype(float)
        assert colours[deep].max() < colours[shown.played].max()


def test_map_floors_lie_right_below_the_ground():
    """Areas hold the origins of players, so the map is lifted by as much as these are above the floor."""
    shown = scene("box")
    faces, floor = shown.map_faces
    ground = shown.faces(FaceFlag.GROUND).xyz[:, 2].min()
    assert 0.0 < ground - faces.select(floor).xyz[:, 2].min() < 4.0


def test_movers_stand_at_the_stops_of_links_with_their_way_and_where_players_get_on_and_off():
    shown = scene("train_loop")
    shown.show_only(["movers"])
    parts = shown.parts()
    boxes = parts["movers"].mesh
    lift = np.array((0.0, 0.0, 22.0))  # as the map itself
    corners = boxes.xyz.reshape(-1, 24, 3) - lift
    assert sorted(map(tuple, corners.mean(axis=1).round(6).tolist())) == [(-192, 0, -8), (0, 256, -8), (192, 0, -8)]
    assert (np.ptp(corners, axis=1) == (112, 112, 16)).all()
    ways = parts["movers paths"].mesh
    assert sorted(np.diff(ways.start).tolist()) == [2, 2, 2, 3, 3, 3], "three to the next stop, three past a stop"
    marks = parts["movers points"].mesh.xyz.reshape(-1, 24, 3).mean(axis=1)
    assert sorted(map(tuple, marks.round().tolist())) == [(-232, 0, 24), (0, 296, 24), (232, 0, 24)]


def test_the_line_of_a_ride_follows_the_mover():
    shown = scene("elevator")
    links = shown.compiled.links
    (row,) = np.flatnonzero(links.kind == Travel.ELEVATOR)
    lines = shown.link_lines
    path = lines.xyz[lines.start[row] : lines.start[row + 1]] - (0, 0, 4)
    np.testing.assert_allclose(
        path, [(0, -112, 24.125), (0, -48, 32), (0, -48, 216), (48, 0, 216), (80, 0, 216.125)], atol=0.01
    )


def test_the_card_says_what_carries_players():
    shown = scene("train_loop")
    shown.pick(int(areas_at(tree_of(shown.compiled.areas), [(300, 0, 30)])[0]))
    text = " ".join(" ".join(shown.card()).split())
    assert "carried by a func_train (model 2, entity 6), 112 × 112 × 16" in text
    assert "waits at (264 0 24), gets on at (232 0 24), gets off at (-232 0 24)" in text
    assert "it comes every 12.4 s, and players wait 6.2 s on average; then the ride, 384 units, takes 2.4 s" in text


def test_volumes_by_hand_are_boxes_with_their_name_and_effect():
    shown = scene("by_hand_entities")
    shown.show_only(["volumes"])
    boxes = shown.parts()["volumes"].mesh
    corners = boxes.xyz.reshape(-1, 24, 3) - (0, 0, 22)
    assert corners.min(axis=1).tolist() == [[-8, 64, 0], [-8, -128, 0]]
    assert corners.max(axis=1).tolist() == [[8, 128, 96], [8, -64, 96]]
    assert [labels.text for labels in shown.labels()] == [
        ("aas_block (entity 4): closed to routes",),
        ("aas_cost (entity 5): costs × 4",),
    ]
    faces = next(section for section in shown.legend() if section.title == "faces")
    assert [row.text for row in faces.rows] == ["block by hand", "cost by hand"]
    assert "volumes" not in scene("box").layers_with_content


def test_links_by_hand_are_drawn_whatever_their_travel_type():
    shown = scene("by_hand_entities")
    links = shown.compiled.links
    (row,) = np.flatnonzero(links.entity >= 0)
    assert int(links.kind[row]) in shown.hidden_links, "grapples need a weapon"
    assert shown.shown_links.nonzero()[0].tolist() == [row]
