"""Doorways, portal brushes and entities in areas, on hand-made maps and real ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.checks import check_compiled as checks
from aascompile.cluster.clusters import make_clusters
from aascompile.cluster.doorways import in_doorway, in_portal_brush, neighbours, occupied
from aascompile.mapio.load import load_map
from aascompile.model.areas import AreaFlag
from aascompile.model.contents import Kind
from aascompile.model.entity_classes import is_suspended
from aascompile.model.mapdata import Entity
from aascompile.pipeline import compile_map, make_areas, understand
from aascompile.player.movement import Movement
from aascompile.reach.places import find_places
from aascompile.report import Report
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3
from tests.cluster.hand_made import stand_in_links
from tests.conftest import ROOT
from tests.reference.clusters import TwoLevels, faults, linked_areas, plain_times
from tests.stages import EXACT

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))


def slow_doorway(areas, area):
    """Whether an area with ground is open in two planes, counting lower neighbours (and theirs) as parts of it."""
    if not areas.area_flags[area] & AreaFlag.GROUNDED:
        return False
    here, there, plane = (column.tolist() for column in neighbours(areas))
    group = {area}
    grown = True
    while grown:
        size = len(group)
        for a, b in zip(here, there, strict=True):
            own, other = int(areas.area_presence[a]), int(areas.area_presence[b])
            if a in group and other != own and other & own == other:
                group.add(b)
        grown = len(group) > size
    return len({p for a, b, p in zip(here, there, plane, strict=True) if a in group and b not in group}) == 2


@pytest.mark.parametrize("name", SAMPLES)
def test_doorways_of_samples_agree_with_the_slow_search(compiled_sample, name):
    areas = compiled_sample(name).areas
    assert in_doorway(areas).tolist() == [slow_doorway(areas, area) for area in range(len(areas))]


def test_the_doorway_sample_has_a_doorway(compiled_sample):
    """Two rooms joined by a doorway of 64 × 96 in a wall around x = 0."""
    areas = compiled_sample("doorway").areas
    (door,) = areas_at(tree_of(areas), [(0, 0, 24.5)])
    assert in_doorway(areas)[door]
    assert not in_portal_brush(areas).any()


def entities_of(compiled):
    return [compiled.entities.entity(row) for row in range(len(compiled.entities))]


def settled(areas, entities):
    """Where items and spawns come to rest in areas. The walls of another map will do, as no entity is in them."""
    bare = replace(load_map(str(ROOT / "samples" / "box.bsp")), entities=tuple(entities))
    return find_places(bare, Movement(areas, QUAKE3))


def held(areas, entities):
    return occupied(areas, settled(areas, entities), entities)


def item(x, y, z, **keys):
    return Entity((("classname", "item_quad"), ("origin", f"{x} {y} {z}"), *keys.items()))


@pytest.mark.parametrize("name", SAMPLES)
def test_areas_are_occupied_by_their_first_entity(compiled_sample, name):
    """Areas are occupied exactly where items and spawns are, by the first of them, and pads by an item that hangs."""
    areas, entities = compiled_sample(name).areas, entities_of(compiled_sample(name))
    places = settled(areas, entities)
    expected = np.full(len(areas), -1)
    for row, area in zip(places.entity[::-1].tolist(), places.area[::-1].tolist(), strict=True):
        if area >= 0:
            expected[area] = row
    hanging = [row for row in places.entity[places.area >= 0].tolist() if is_suspended(entities[row])]
    if hanging:
        expected[(areas.area_contents & np.uint32(Kind.JUMPPAD)) != 0] = hanging[0]
    assert occupied(areas, places, entities).tolist() == expected.tolist()
    assert (expected >= 0).any()


def test_an_item_in_the_air_occupies_only_the_ground_below(compiled_sample):
    areas = compiled_sample("box").areas
    ground = np.flatnonzero(areas.area_flags & np.uint32(AreaFlag.GROUNDED))
    (below,) = areas_at(tree_of(areas), [(0, 0, 24.5)])
    assert below in ground
    assert np.flatnonzero(held(areas, [item(0, 0, areas.area_maxs[:, 2].max() - 1)]) == 0).tolist() == [below]
    nothing = [Entity((("classname", "light"), ("origin", "0 0 64"))), Entity((("classname", "item_quad"),))]
    assert (held(areas, nothing) == -1).all()


def test_entities_of_no_game_type_occupy_nothing(compiled_sample):
    """An item that is in no game type, and a camera, do not keep a doorway from being a portal."""
    areas = compiled_sample("doorway").areas
    (door,) = areas_at(tree_of(areas), [(0, 0, 24.5)])
    assert held(areas, [item(0, 0, 16, notfree="1", notteam="1")])[door] == 0
    assert held(areas, [item(0, 0, 16, notfree="1", notteam="1", notsingle="1")])[door] == -1
    assert held(areas, [Entity((("classname", "info_player_intermission"), ("origin", "0 0 32")))])[door] == -1


@pytest.mark.parametrize(
    ("keys", "same"),
    [
        ("", False),
        ('"notfree" "1"\n"notteam" "1"\n', False),
        ('"notfree" "1"\n"notteam" "1"\n"notsingle" "1"\n', True),
    ],
)
def test_items_of_any_game_type_prevent_portals(tmp_path, keys, same):
    source = (ROOT / "samples" / "clusterportal.map").read_text()
    path = tmp_path / "made.map"
    path.write_text(source)
    plain = compile_map(str(path), QUAKE3, Report("plain"))
    portals = plain.clusters.portal_area.tolist()
    middle = plain.areas.area_centre[portals]
    more = "".join(f'{{\n"classname" "item_health"\n"origin" "{x} {y} {z}"\n{keys}}}\n' for x, y, z in middle)
    path.write_text(source + more)
    found = compile_map(str(path), QUAKE3, Report("more")).clusters.portal_area.tolist()
    assert len(portals) == 2
    assert found == portals if same else not set(found) & set(portals)


def test_camp_spots_occupy_the_floor_below(compiled_sample):
    areas = compiled_sample("doorway").areas
    (door,) = areas_at(tree_of(areas), [(0, 0, 24.5)])
    for point in ("0 0 0", "0 0 60"):
        camp = Entity((("classname", "Info_Camp"), ("origin", point)))
        assert np.flatnonzero(held(areas, [camp, item(0, 0, 16)]) == 0).tolist() == [door]
    astray = Entity((("classname", "info_camp"), ("origin", "9999 0 0")))
    assert (held(areas, [astray]) == -1).all()


def test_a_suspended_item_occupies_every_jump_pad(compiled_sample):
    """The engine goes to pads for it, and routes to a goal in a portal from one side only."""
    areas = compiled_sample("jumppad").areas
    pads = np.flatnonzero(areas.area_contents & np.uint32(Kind.JUMPPAD))
    assert len(pads)
    x, y, z = next(
        entity.vector("origin") for entity in entities_of(compiled_sample("jumppad")) if entity.vector("origin")
    )
    assert (held(areas, [item(x, y, z)])[pads] == -1).all()
    assert (held(areas, [item(x, y, z, spawnflags="1")])[pads] == 0).all()
    assert (held(areas, [item(9999, 0, 0, spawnflags="1")])[pads] == -1).all(), "nobody can get there"


@pytest.mark.parametrize("name", SAMPLES)
def test_clusters_of_samples_pass_the_checks(compiled_sample, name):
    compiled = compiled_sample(name)
    areas, entities = compiled.areas, entities_of(compiled)
    links = stand_in_links(areas)
    places = settled(areas, entities)
    clusters, choice = make_clusters(areas, links, places, entities)
    assert faults(clusters, links, np.flatnonzero(occupied(areas, places, entities) >= 0)) == []
    assert choice.cost <= choice.cost_of_one
    failed = checks.failures(replace(compiled, links=links, clusters=clusters))
    assert [failure.sentence() for failure in failed if failure.requirement.id.startswith("C")] == []


def test_two_portal_brushes_make_three_clusters(compiled_sample):
    compiled = compiled_sample("clusterportal")
    areas, entities = compiled.areas, entities_of(compiled)
    clusters, choice = make_clusters(areas, stand_in_links(areas), settled(areas, entities), entities)
    assert len(clusters) == 3
    assert len(clusters.portal_area) == 2
    assert in_portal_brush(compiled.areas)[clusters.portal_area].all()
    # The air above in the same brush is not listed as a failed candidate.
    assert in_portal_brush(compiled.areas).sum() > 2
    assert [(candidate.area, candidate.reason) for candidate in choice.candidates if candidate.brush] == [
        (area, "") for area in sorted(clusters.portal_area.tolist())
    ]


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["aggressor", "oa_dm1", "oa_dm2", "oacmpdm8"])
def test_clusters_of_real_maps_keep_the_rules_and_halve_the_cost(corpus, name):
    report = Report(name)
    understood = understand(str(corpus / f"{name}.bsp"), report, EXACT)
    areas = make_areas(understood, EXACT, report).areas
    links = stand_in_links(areas)
    places = find_places(understood.map, Movement(areas, QUAKE3))
    clusters, choice = make_clusters(areas, links, places, understood.map.entities)
    found = np.flatnonzero(occupied(areas, places, understood.map.entities) >= 0)
    assert len(found) > 20
    assert faults(clusters, links, found) == []
    assert choice.cost < 0.5 * choice.cost_of_one
    assert any(not candidate.reason for candidate in choice.candidates)
    routes, joined = TwoLevels(links, clusters), sorted(linked_areas(links))
    for goal in joined[:: len(joined) // 5]:
        plain = plain_times(links, len(areas), goal)
        assert routes.times(joined, goal) == [plain[area] for area in joined]


def test_air_belongs_to_the_cluster_of_the_room_below(compiled_sample):
    """Areas without links have the cluster they touch; those between two clusters have none."""
    compiled = compiled_sample("clusterportal")
    areas, links = compiled.areas, stand_in_links(compiled.areas)
    entities = entities_of(compiled)
    clusters, _ = make_clusters(areas, links, settled(areas, entities), entities)
    joined = linked_areas(links)
    here, there, _ = neighbours(areas)
    for area in set(range(len(areas))) - set(joined):
        touched = {int(clusters.area_cluster[b]) for a, b in zip(here, there, strict=True) if a == area} - {-1}
        assert (len(touched) == 1) == (clusters.area_cluster[area] >= 0)
        if len(touched) == 1:
            assert clusters.area_cluster[area] in touched
