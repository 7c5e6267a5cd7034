"""The state of a view on a compiled file, and every operation on it, without a window.

``Scene`` holds the state. Its methods are the operations behind the window's keys, the command's options and the web
page's controls. ``parts()`` returns the meshes to draw, ``labels()`` the text in space, ``legend()`` the legend,
``card()`` the facts of the picked area, and ``route_lines()`` the route. A part stays the same object until a state
that it depends on changes, so a view redraws only the parts that are new.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import AasError, RouteError
from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.by_hand import VOLUMES
from aascompile.model.compiled import Compiled
from aascompile.model.contents import SurfaceFlag
from aascompile.model.links import Travel, are_of
from aascompile.model.mapdata import Bits, Float
from aascompile.nav.routes import Route, Router
from aascompile.nav.sight import Views
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.viewer import build
from aascompile.viewer.colouring import AREA_KINDS, COLOURINGS, Colouring, kinds_of, played_areas
from aascompile.viewer.marks import Marks, marks_of
from aascompile.viewer.meshes import FAR, Mask, Mesh, empty_mesh
from aascompile.viewer.palette import BY_HAND, link_colours
from aascompile.viewer.touched import touched
from aascompile.viewer.trim import trimmed

if TYPE_CHECKING:
    from collections.abc import Hashable

    from aascompile.nav.why import Why
    from aascompile.viewer.carriers import Carriers
    from aascompile.viewer.change import Change
    from aascompile.viewer.lost import Lost
    from aascompile.viewer.parts import Part
    from aascompile.viewer.text import Labels, Section


class SceneError(AasError, ValueError):
    """The file lacks what was requested."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the scene that can be shown or hidden."""

    name: str
    about: str
    shown: bool
    """Whether it is shown by default."""


LAYERS: Final = (
    Layer("map", "the map's solid faces", True),
    Layer("areas", "areas, as shells", True),
    Layer("ground", "ground faces", True),
    Layer("gaps", "faces a player falls through", False),
    Layer("liquid", "surfaces of liquids", True),
    Layer("ladders", "ladder faces", True),
    Layer("links", "links between areas", True),
    Layer("portals", "areas that connect clusters", False),
    Layer("entities", "spawns, items and targets", True),
    Layer("names", "names of entities", False),
    Layer("numbers", "numbers of areas", False),
    Layer("leak", "the path out of a leaking map", True),
    Layer("unreached", "items, traps and attempts that fail", True),
    Layer("movers", "what carries players, at its stops", True),
    Layer("volumes", "volumes that the mapper made by hand", True),
)
LAYER_NAMES: Final = tuple(layer.name for layer in LAYERS)

COMPARISON_LAYERS: Final = (
    Layer("gone", "areas that only the older file has", True),
    Layer("lost", "links that only the older file has", True),
)
"""Further layers, for a comparison of two files."""


ALTERNATIVES: Final = 3
"""Alternatives to the route that a key shows."""

MARKS: Final = 200
"""The width of a map is so many times half the width of an entity mark."""

MARK_MOST: Final = 24.0
"""Half the width of the largest entity marks, units."""

MAP_MARGIN: Final = 8.0
"""Faces of the map are drawn this far around the space of players, units."""

QUIET: Final = frozenset(
    int(kind)
    for kind in (
        Travel.WALK,
        Travel.CROUCH,
        Travel.BARRIER_JUMP,
        Travel.WALK_OFF_LEDGE,
        Travel.SWIM,
        Travel.ROCKET_JUMP,
        Travel.BFG_JUMP,
        Travel.GRAPPLE,
    )
)
"""Travel types that are everywhere in a map, or need a weapon: hidden by default, and drawn around the picked area and
on the route."""

FEW: Final = 48
"""Shells are shown by default in files of at most so many areas: more hide each other."""

QUIET_ENTITIES: Final = frozenset({"target", "trigger", "mover", "other"})
"""Kinds of entities that are hidden by default."""

BUNDLE: Final = 256.0
"""Links of one teleporter, jump pad or platform whose ends are about this near each other are drawn as one, units."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The box to which the picture is cut; infinite on open sides."""

    mins: tuple[float, float, float] = (-np.inf, -np.inf, -np.inf)
    maxs: tuple[float, float, float] = (np.inf, np.inf, np.inf)

    @property
    def open(self) -> bool:
        """Whether nothing is cut off."""
        return not np.isfinite([*self.mins, *self.maxs]).any()


class Scene:
    """A compiled file and the state of its view."""

    def __init__(self, compiled: Compiled, name: str = "", before: Compiled | None = None) -> None:
        """``before`` is an older file to compare with."""
        if not len(compiled.areas):
            raise SceneError("the file has no areas, so there is nothing to show")
        if max(np.abs(compiled.areas.area_mins).max(), np.abs(compiled.areas.area_maxs).max()) > FAR:
            raise SceneError("the file's areas lie farther out than any map reaches")
        self.compiled = compiled
        self.name = name or compiled.provenance.name
        self.change = None if before is None else _change(before, compiled)
        own = LAYERS if before is None else (*LAYERS, *COMPARISON_LAYERS)
        self.layers: dict[str, bool] = {layer.name: layer.shown for layer in own}
        self.layers["areas"] = before is not None or len(compiled.areas) <= FEW
        self.colour_by = "change" if before is not None else "reached" if self._loses() else "kind"
        self.hidden_areas: frozenset[str] = frozenset({"air"})
        """Kinds of areas that are hidden."""
        self.hidden_links: frozenset[int] = frozenset() if before is not None else QUIET
        """Travel types of links that are hidden. Those in QUIET are still drawn around what is picked."""
        self.bundling = True
        """Whether links of one entity that lead alike are drawn as one."""
        self.hidden_entities: frozenset[str] = QUIET_ENTITIES
        """Kinds of entities that are hidden."""
        self.cut = Cut()
        self.focus = False
        """Whether only the picked area, its neighbours and the route are shown of all areas and links."""
        self.shell_opacity = 0.1 if before is None else 0.2
        """Opacity of the area shells, 0 to 1."""
        self.picked = -1
        self.picked_entity = -1
        """Row of the marks."""
        self.hovered = -1
        """Row of the mark under the mouse."""
        self.start = -1
        self.goal = -1
        self.route: Route | None = None
        self.alternatives = 0
        """Number of alternatives to the route that are shown, if there are as many."""
        self.other_routes: tuple[Route, ...] = ()
        self.miss: Why | None = None
        """Why there is no route from the start to the goal."""
        self.message = ""
        """Message of the last operation."""
        self._cache: dict[str, tuple[Hashable, dict[str, Part]]] = {}

    def take_over(self, old: Scene) -> None:
        """Take over what another scene shows. Areas have other numbers here, so they are found by where they are."""
        self.layers.update({name: on for name, on in old.layers.items() if name in self.layers})
        self.colour_by = old.colour_by if old.colour_by in self.colourings else self.colour_by
        self.hidden_areas, self.hidden_links = old.hidden_areas, old.hidden_links
        self.hidden_entities = old.hidden_entities
        self.cut, self.focus, self.shell_opacity = old.cut, old.focus, old.shell_opacity
        self.alternatives = old.alternatives
        tree, centre = tree_of(self.compiled.areas), old.compiled.areas.area_centre
        self.picked, self.start, self.goal = (
            int(areas_at(tree, centre[area : area + 1])[0]) if area >= 0 else -1
            for area in (old.picked, old.start, old.goal)
        )
        self._find_route()

    # --- operations ---------------------------------------------------------------------------------------------------

    def toggle(self, layer: str) -> None:
        """Show or hide a layer."""
        self.show([layer], on=not self.layers.get(layer, False))

    def show(self, layers: Iterable[str], *, on: bool = True) -> None:
        """Show or hide layers."""
        for name in layers:
            if name not in self.layers:
                raise SceneError(f"unknown layer '{name}': choose from {', '.join(self.layers)}")
            self.layers[name] = on

    def show_only(self, layers: Iterable[str]) -> None:
        """Show these layers and hide the others."""
        wanted = list(layers)
        self.show(wanted)
        self.layers = {name: name in wanted for name in self.layers}

    def colour(self, by: str) -> None:
        """Choose the colouring of the areas."""
        if by not in self.colourings:
            raise SceneError(f"areas cannot be coloured by '{by}': choose from {', '.join(self.colourings)}")
        self.colour_by = by

    def toggle_area_kind(self, kind: str) -> None:
        """Show or hide a kind of area."""
        self.hide_area_kinds(self.hidden_areas ^ {kind})

    def hide_area_kinds(self, kinds: Iterable[str]) -> None:
        """Hide these kinds of areas and show the others."""
        hidden = frozenset(kinds)
        for kind in sorted(hidden - set(AREA_KINDS)):
            raise SceneError(f"unknown kind of area '{kind}': choose from {', '.join(AREA_KINDS)}")
        self.hidden_areas = hidden

    def toggle_link_kind(self, kind: int) -> None:
        """Show or hide the links of a travel type."""
        self.hidden_links ^= {int(kind)}

    def hide_link_kinds(self, kinds: Iterable[int]) -> None:
        """Hide the links of these travel types and show the others."""
        self.hidden_links = frozenset(int(kind) for kind in kinds)

    def toggle_entity_kind(self, kind: str) -> None:
        """Show or hide the entities of a kind."""
        self.hidden_entities ^= {kind}

    def cut_height(self, low: float | None = None, high: float | None = None) -> None:
        """Cut to a range of heights; None leaves an end open."""
        (x0, y0, _), (x1, y1, _) = self.cut.mins, self.cut.maxs
        self.cut = Cut((x0, y0, -np.inf if low is None else low), (x1, y1, np.inf if high is None else high))

    def cut_box(self, mins: Iterable[float], maxs: Iterable[float]) -> None:
        """Cut to a box."""
        (x0, y0, z0), (x1, y1, z1) = mins, maxs
        self.cut = Cut((x0, y0, z0), (x1, y1, z1))

    def cut_around(self, area: int, margin: float = 128.0) -> None:
        """Cut to a box around an area."""
        self._check_area(area)
        areas = self.compiled.areas
        self.cut_box(areas.area_mins[area] - margin, areas.area_maxs[area] + margin)

    def uncut(self) -> None:
        """Remove the cut."""
        self.cut = Cut()

    def pick(self, area: int) -> None:
        """Pick an area, which shows its card and highlights its neighbours; −1 for none."""
        self._check_area(area)
        self.picked, self.picked_entity = area, -1

    def pick_entity(self, mark: int) -> None:
        """Pick an entity, by its row in the marks, and the area that it lies in."""
        if not 0 <= mark < len(self.marks.row):
            raise SceneError(f"there is no mark {mark}: they are numbered 0 to {len(self.marks.row) - 1}")
        self.pick(self.area_of_mark(mark))
        self.picked_entity = mark

    def area_of_mark(self, mark: int) -> int:
        """Area of an entity: where an item lies or a player starts, else where its origin is; −1 for none."""
        places, entity = self.compiled.places, self.marks.row[mark]
        if places is not None and (places.entity == entity).any():
            return int(places.area[places.entity == entity][0])
        return int(areas_at(tree_of(self.compiled.areas), self.marks.origin[mark : mark + 1])[0])

    def why(self) -> Why | None:
        """Why the picked entity or area, or the goal of the route, is not reached; None if it is."""
        if self.lost is not None and self.picked_entity >= 0:
            entity = self.marks.row[self.picked_entity]
            return next((why for why in self.lost.why if entity in why.entities), None)
        if self.lost is not None and self.picked >= 0:
            return next(iter(self.lost.of_area(self.picked)), None)
        return self.miss

    def ask_why(self) -> Why | None:
        """Show what is not reached and the attempt that comes nearest, and return why; None if nothing is asked for."""
        found = self.why()
        if found is None:
            self.message = "pick an item or area that is not reached, to see why"
            return None
        self.show(["unreached"])
        if self.miss is None:
            self.colour("reached")
        return found

    def set_start(self, area: int) -> None:
        """Set the area where the route starts; −1 for none."""
        self._check_area(area)
        self.start = area
        self._find_route()

    def set_goal(self, area: int) -> None:
        """Set the area where the route and the travel times lead; −1 for none."""
        self._check_area(area)
        self.goal = area
        self._find_route()

    def set_alternatives(self, count: int) -> None:
        """Show so many alternatives to the route, if there are as many."""
        self.alternatives = max(count, 0)
        self._find_route()

    def toggle_alternatives(self) -> None:
        """Show or hide alternatives to the route."""
        self.set_alternatives(0 if self.alternatives else ALTERNATIVES)

    def clear(self) -> None:
        """Clear the pick, the route, the focus and the cut."""
        self.picked = self.picked_entity = self.hovered = self.start = self.goal = -1
        self.route, self.miss, self.other_routes, self.focus, self.message = None, None, (), False, ""
        self.uncut()

    def _check_area(self, area: int) -> None:
        if not -1 <= area < len(self.compiled.areas):
            raise SceneError(f"there is no area {area}: areas are numbered 0 to {len(self.compiled.areas) - 1}")

    def _find_route(self) -> None:
        """Find the route once both ends are set; set a message if there is none."""
        self.route, self.miss, self.other_routes, self.message = None, None, (), ""
        if self.start < 0 or self.goal < 0:
            return
        try:
            self.route, *others = self.router.alternatives(self.start, self.goal, 1 + self.alternatives)
            self.other_routes = tuple(others)
        except RouteError as error:
            self.message = str(error)
            if self.compiled.links is not None:
                self.miss = self._missed()

    def _missed(self) -> Why:
        """Why no route leads from the start to the goal."""
        from aascompile.nav.why import Investigator

        goal = self.compiled.areas.area_centre[self.goal]
        return Investigator(self.compiled).between(self.start, self.goal, goal)

    @property
    def islands(self) -> tuple[Mask, Mask]:
        """``(areas,)`` areas that players reach from the start, and areas that lead to the goal."""
        from aascompile.nav.unreached import graph_of

        links = self.compiled.links
        assert links is not None
        graph = graph_of(links, np.ones(len(links), np.bool_))
        ends = (np.array([area], np.int32) for area in (self.start, self.goal))
        return graph.forward.reach(next(ends)), graph.backward.reach(next(ends))

    # --- output -------------------------------------------------------------------------------------------------------

    def parts(self) -> dict[str, Part]:
        """The meshes to draw, by name. Hidden and empty parts are left out."""
        from aascompile.viewer.parts import MAKERS

        found: dict[str, Part] = {}
        for layer, maker in MAKERS.items():
            if not self.layers.get(layer, True):
                continue
            depends = maker.depends(self)
            kept = self._cache.get(layer)
            if kept is None or kept[0] != depends:
                made = maker.make(self)
                kept = (depends, {name: part for name, part in made.items() if len(part.mesh)})
                self._cache[layer] = kept
            found.update(kept[1])
        return found

    def labels(self) -> list[Labels]:
        """Text in space: names, numbers, ends of the route."""
        from aascompile.viewer.text import labels

        found: list[Labels] = labels(self)
        return found

    def legend(self) -> list[Section]:
        """The legend, in sections: layers, area colours, faces, links, entities."""
        from aascompile.viewer.text import legend

        sections: list[Section] = legend(self)
        return sections

    def card(self) -> list[str]:
        """Facts of the picked area; no lines if none is picked."""
        from aascompile.viewer.text import card

        lines: list[str] = card(self)
        return lines

    def route_lines(self) -> list[str]:
        """The route, with a line for each link; no lines without a route."""
        from aascompile.viewer.text import route_lines

        lines: list[str] = route_lines(self)
        return lines

    def thing_of(self, name: str, cell: int) -> tuple[str, int]:
        """What a cell of a part belongs to, "area" or "entity", and its row; ("", −1) for nothing."""
        part = self.parts().get(name)
        return (part.style.picks, int(part.mesh.item[cell])) if part is not None and part.style.picks else ("", -1)

    # --- derived from the state ---------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Title of the picture."""
        links = self.compiled.links
        count = "" if links is None else f", {len(links):,} links"
        if self.change is not None:
            return f"{self.name}: {self.change.counts()}"
        return f"{self.name}: {len(self.compiled.areas):,} areas{count}"

    @property
    def in_play(self) -> NDArray[np.int64]:
        """``(n,)`` shown areas that are played in; without any, all shown areas; without any, all areas."""
        shown = self.shown_areas
        shown = shown & self.played if (shown & self.played).any() else shown
        return np.flatnonzero(shown) if shown.any() else np.arange(len(self.compiled.areas))

    @property
    def bounds(self) -> tuple[Float, Float]:
        """Corners of the box around the areas in play, inside the cut."""
        areas, rows = self.compiled.areas, self.in_play
        low, high = areas.area_mins[rows].min(axis=0), areas.area_maxs[rows].max(axis=0)
        low, high = np.maximum(low, self.cut.mins), np.minimum(high, self.cut.maxs)
        return np.minimum(low, high), np.maximum(low, high)

    @property
    def layers_with_content(self) -> tuple[str, ...]:
        """Names of the layers, without those of a leak, movers and volumes in a map that has none."""
        has = {
            "leak": len(self.compiled.leak),
            "movers": len(self.carriers.rides),
            "volumes": any(name.lower() in VOLUMES for name in self.compiled.entities.classname),
        }
        return tuple(name for name in self.layers if has.get(name, True))

    @property
    def colourings(self) -> tuple[str, ...]:
        """Names of the available colourings."""
        return tuple(COLOURINGS) if self.change is None else ("change", *COLOURINGS)

    @property
    def colouring(self) -> Colouring:
        """Colours of all areas, with their legend."""
        if self.colour_by == "change" and self.change is not None:
            return self.change.colouring
        values = None
        if self.colour_by == "time" and self.goal >= 0 and self.compiled.links is not None:
            values = self.router.times_to(self.goal)
        if self.colour_by == "sight" and self.picked >= 0 and self.compiled.sight is not None:
            values = Views(self.compiled).sees(self.picked, np.arange(len(self.compiled.areas)))
        return COLOURINGS[self.colour_by](self.compiled, values)

    @property
    def shown_areas(self) -> Mask:
        """``(areas,)`` areas of visible kinds; with focus on, the areas in focus, whatever their kind."""
        hidden = np.array([kind in self.hidden_areas for kind in AREA_KINDS])
        shown: Mask = ~hidden[self.area_kind]
        return self.in_focus if self.focus else shown

    @property
    def shown_marks(self) -> Mask:
        """``(marks,)`` marks of visible kinds of entities."""
        return np.array([sort not in self.hidden_entities for sort in self.marks.sort], np.bool_)

    @property
    def shown_links(self) -> Mask:
        """``(links,)`` links of visible travel types and those made by hand, in focus if it is on. A comparison shows
        new links only."""
        links = self.compiled.links
        if links is None:
            return np.zeros(0, np.bool_)
        hidden = self.hidden_links - QUIET if self.focus else self.hidden_links
        shown: Mask = ~np.isin(links.kind, list(hidden)) | (links.entity >= 0)
        if self.colour_by == "change" and self.change is not None:
            shown &= self.change.gained
        if self.focus:
            return shown & (self.picked_links | self.on_route)
        return shown & self.bundled if self.bundling else shown

    @property
    def in_focus(self) -> Mask:
        """``(areas,)`` the picked area, its neighbours, and the areas on the route."""
        chosen = self.neighbours
        links = self.compiled.links
        if links is not None:
            chosen[links.source[self.on_route]] = True
            chosen[links.target[self.on_route]] = True
        for area in (self.start, self.goal):
            if area >= 0:
                chosen[area] = True
        return chosen

    @property
    def neighbours(self) -> Mask:
        """``(areas,)`` the picked area, and every area that a link connects with it in either direction."""
        chosen = np.zeros(len(self.compiled.areas), np.bool_)
        links = self.compiled.links
        if self.picked >= 0:
            chosen[self.picked] = True
            if links is not None:
                chosen[links.target[links.source == self.picked]] = True
                chosen[links.source[links.target == self.picked]] = True
        return chosen

    @property
    def picked_links(self) -> Mask:
        """``(links,)`` links from and to the picked area."""
        links = self.compiled.links
        if links is None or self.picked < 0:
            return np.zeros(0 if links is None else len(links), np.bool_)
        own: Mask = (links.source == self.picked) | (links.target == self.picked)
        return own

    @property
    def on_route(self) -> Mask:
        """``(links,)`` links of the route."""
        links = self.compiled.links
        chosen = np.zeros(0 if links is None else len(links), np.bool_)
        if self.route is not None:
            chosen[self.route.rows] = True
        return chosen

    def _loses(self) -> bool:
        """Whether some item or spawn is not reached."""
        return self.lost is not None and bool(self.lost.why)

    # --- computed once ------------------------------------------------------------------------------------------------

    @cached_property
    def router(self) -> Router:
        """Route search over the links; RouteError if the file has none."""
        return Router(self.compiled)

    @cached_property
    def played(self) -> Mask:
        """``(areas,)`` areas that are played in: with links, and no death pits."""
        return played_areas(self.compiled)

    @cached_property
    def lost(self) -> Lost | None:
        """What is not reached; None if the file has no links, items or spawns."""
        from aascompile.viewer.lost import lost_of

        found: Lost | None = lost_of(self.compiled)
        return found

    @cached_property
    def area_kind(self) -> NDArray[np.int32]:
        """``(areas,)`` row of ``AREA_KINDS``."""
        kinds: NDArray[np.int32] = kinds_of(self.compiled)
        return kinds

    @cached_property
    def shells(self) -> Mesh:
        """Shells of all areas, slightly shrunk."""
        return build.shells(self.compiled.areas)

    @cached_property
    def link_lines(self) -> Mesh:
        """Lines of all links, in the colours of their travel types, or in that of links made by hand."""
        links = self.compiled.links
        if links is None:
            return empty_mesh()
        colours = link_colours(links.kind)
        colours[links.entity >= 0] = BY_HAND
        return build.link_lines(self.compiled, links).coloured(colours)

    @cached_property
    def carriers(self) -> Carriers:
        """Movers that links use."""
        from aascompile.viewer.carriers import carriers_of

        found: Carriers = carriers_of(self.compiled)
        return found

    @cached_property
    def bundled(self) -> Mask:
        """``(links,)`` links to draw: of those of one entity that lead alike, the first."""
        links = self.compiled.links
        if links is None:
            return np.zeros(0, np.bool_)
        ends = np.floor(np.concatenate([links.start, links.end], axis=1) / BUNDLE).astype(np.int64)
        triggered = are_of(links.kind, (Travel.TELEPORT, Travel.JUMP_PAD))
        ends[triggered, :3] = 0  # wherever the player steps on it
        model = np.where(triggered, self.compiled.areas.area_trigger[links.source], links.model)
        ends[model < 0] = 0
        own = np.where(model < 0, np.arange(len(links)), -1)
        key = np.column_stack([links.kind, model, own, ends])
        first = np.zeros(len(links), np.bool_)
        first[np.unique(key, axis=0, return_index=True)[1]] = True
        return first

    @cached_property
    def frame(self) -> Float:
        """``(n, 3)`` points that the first picture must show: floors, items, spawns and ends of links in play."""
        areas, links, places = self.compiled.areas, self.compiled.links, self.compiled.places
        stays = np.flatnonzero(self.played & (areas.area_flags & np.uint32(AreaFlag.GROUNDED) != 0))
        low, high = areas.area_mins[stays], areas.area_maxs[stays]
        sides = [(x, y) for x in (low[:, 0], high[:, 0]) for y in (low[:, 1], high[:, 1])]
        points = [np.column_stack([x, y, low[:, 2]]) for x, y in sides]
        if links is not None:
            used = self.played[links.source] & self.played[links.target]
            points += [links.start[used], links.end[used]]
        if places is not None:
            points.append(places.point[places.area >= 0])
        every: Float = np.concatenate(points)
        if not len(every):
            rows = self.in_play
            every = np.concatenate([areas.area_mins[rows], areas.area_maxs[rows]])
        return every

    @cached_property
    def map_faces(self) -> tuple[Mesh, Mask]:
        """Faces of the map that bound the space of players, without sky; and a mask of the floors among them."""
        context = self.compiled.context
        seen = context.flags & SurfaceFlag.SKY == 0
        areas, boxes = self.compiled.areas, self.compiled.boxes
        faces = build.map_faces(context, seen & touched(context, areas, boxes))
        stays = areas.area_flags & np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID | AreaFlag.LADDER) != 0
        played = np.flatnonzero(stays & self.played) if (stays & self.played).any() else np.arange(len(areas))
        room = np.array([MAP_MARGIN, MAP_MARGIN, MAP_MARGIN])
        mins = areas.area_mins[played] + boxes.mins.min(axis=0) - room
        maxs = areas.area_maxs[played] + boxes.maxs.max(axis=0) + room
        faces = build.lifted(trimmed(faces, mins, maxs), self.compiled.boxes)
        return faces, build.is_floor(faces)

    @cached_property
    def marks(self) -> Marks:
        """Marks of the entities."""
        size = np.ptp(self.frame, axis=0)[:2].max()
        return marks_of(self.compiled.entities, float(np.clip(size / MARKS, build.MARK_RADIUS, MARK_MOST)))

    def faces(self, flag: FaceFlag) -> Mesh:
        """All faces with a flag. The item is the area that a face belongs to."""
        return build.flagged_faces(self.compiled.areas, flag)

    def faces_contents(self, flag: FaceFlag) -> Bits:
        """``(faces with the flag,)`` contents of the areas on both sides."""
        areas = self.compiled.areas
        chosen = np.flatnonzero(areas.face_flags & flag)
        contents = np.append(areas.area_contents, np.uint32(0))
        return contents[areas.face_front[chosen]] | contents[areas.face_back[chosen]]

    def link_kinds(self) -> dict[int, int]:
        """Number of links of each travel type in the file."""
        links = self.compiled.links
        if links is None:
            return {}
        kinds, counts = np.unique(links.kind, return_counts=True)
        return dict(zip(kinds.tolist(), counts.tolist(), strict=True))


def _change(before: Compiled, after: Compiled) -> Change:
    from aascompile.viewer.change import change

    return change(before, after)


def travel_name(kind: int) -> str:
    """Name of a travel type."""
    return Travel(kind).words
