"""What is shown of a compiled file, and everything that can be done to it, without a window.

``Scene`` holds the state; its methods are the operations behind the window's keys, the command's options and the web
page's controls. ``parts()`` gives the meshes to draw, ``labels()`` the words in space, ``key()`` the legend, ``card()``
and ``route_lines()`` the facts of what is picked. A part is the same object until something that it depends on
changes, so whoever draws has to look only at what is new.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import AasError, RouteError
from aascompile.model.areas import FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import SurfaceFlag
from aascompile.model.links import Travel
from aascompile.model.mapdata import Bits, Float
from aascompile.nav.routes import Route, Router
from aascompile.viewer import build
from aascompile.viewer.colouring import AREA_KINDS, COLOURINGS, Colouring, kinds_of
from aascompile.viewer.marks import Marks, marks_of
from aascompile.viewer.meshes import FAR, Mask, Mesh, nothing
from aascompile.viewer.palette import link_colours
from aascompile.viewer.touched import touched

if TYPE_CHECKING:
    from collections.abc import Hashable

    from aascompile.viewer.change import Change
    from aascompile.viewer.parts import Part
    from aascompile.viewer.words import Labels, Section


class SceneError(AasError, ValueError):
    """Something was asked for that the file does not have."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One of the things that can be shown."""

    name: str
    about: str
    shown: bool
    """Whether it is shown at first."""


LAYERS: Final = (
    Layer("map", "the map's solid faces", True),
    Layer("areas", "areas as shells", True),
    Layer("ground", "ground faces", True),
    Layer("gaps", "faces one falls through", False),
    Layer("liquid", "surfaces of liquids", True),
    Layer("ladders", "ladder faces", True),
    Layer("links", "ways from area to area", True),
    Layer("portals", "areas between clusters", False),
    Layer("entities", "spawns, items and targets", True),
    Layer("names", "names of entities", False),
    Layer("numbers", "numbers of areas", False),
    Layer("leak", "the way out of a leaking map", True),
)
LAYER_NAMES: Final = tuple(layer.name for layer in LAYERS)

COMPARING: Final = (
    Layer("gone", "areas that only the older file has", True),
    Layer("lost", "links that only the older file has", True),
)
"""Layers that there are when two files are compared."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The box that what is shown must lie in; infinite where it is open."""

    mins: tuple[float, float, float] = (-np.inf, -np.inf, -np.inf)
    maxs: tuple[float, float, float] = (np.inf, np.inf, np.inf)

    @property
    def open(self) -> bool:
        """Whether nothing is cut away."""
        return not np.isfinite([*self.mins, *self.maxs]).any()


class Scene:
    """A compiled file and what is shown of it."""

    def __init__(self, compiled: Compiled, name: str = "", before: Compiled | None = None) -> None:
        """``before``: an older file, whose differences are shown."""
        if not len(compiled.areas):
            raise SceneError("the file has no areas: there is nothing to look at")
        if max(np.abs(compiled.areas.area_mins).max(), np.abs(compiled.areas.area_maxs).max()) > FAR:
            raise SceneError("the file's areas lie farther out than any map reaches")
        self.compiled = compiled
        self.name = name or compiled.provenance.name
        self.change = None if before is None else _change(before, compiled)
        own = LAYERS if before is None else (*LAYERS, *COMPARING)
        self.layers: dict[str, bool] = {layer.name: layer.shown for layer in own}
        self.colour_by = "kind" if before is None else "change"
        self.hidden_areas: frozenset[str] = frozenset({"air"})
        """Kinds of areas that are not shown."""
        self.hidden_links: frozenset[int] = frozenset()
        """Kinds of links (Travel) that are not shown."""
        self.cut = Cut()
        self.focus = False
        """Whether of areas and links only what is picked, its neighbours and the route are shown."""
        self.shell_opacity = 0.2
        """Of the areas' shells; the lower, the more one sees through them."""
        self.picked = -1
        self.start = -1
        self.goal = -1
        self.route: Route | None = None
        self.message = ""
        """What the last operation had to say."""
        self._kept: dict[str, tuple[Hashable, dict[str, Part]]] = {}

    # --- operations ---------------------------------------------------------------------------------------------------

    def toggle(self, layer: str) -> None:
        """Show or hide a layer."""
        self.show([layer], on=not self.layers.get(layer, False))

    def show(self, layers: Iterable[str], *, on: bool = True) -> None:
        """Show or hide layers."""
        for name in layers:
            if name not in self.layers:
                raise SceneError(f"there is no layer '{name}': there are {', '.join(self.layers)}")
            self.layers[name] = on

    def show_only(self, layers: Iterable[str]) -> None:
        """Show these layers and no others."""
        wanted = list(layers)
        self.show(wanted)
        self.layers = {name: name in wanted for name in self.layers}

    def colour(self, by: str) -> None:
        """Colour areas by something else."""
        if by not in self.colourings:
            raise SceneError(f"areas cannot be coloured by '{by}': there are {', '.join(self.colourings)}")
        self.colour_by = by

    def toggle_area_kind(self, kind: str) -> None:
        """Show or hide the areas of a kind."""
        self.hide_area_kinds(self.hidden_areas ^ {kind})

    def hide_area_kinds(self, kinds: Iterable[str]) -> None:
        """Hide the areas of these kinds and show the others."""
        hidden = frozenset(kinds)
        for kind in sorted(hidden - set(AREA_KINDS)):
            raise SceneError(f"there is no kind of area '{kind}': there are {', '.join(AREA_KINDS)}")
        self.hidden_areas = hidden

    def toggle_link_kind(self, kind: int) -> None:
        """Show or hide the links of a kind (Travel)."""
        self.hidden_links ^= {int(kind)}

    def hide_link_kinds(self, kinds: Iterable[int]) -> None:
        """Hide the links of these kinds (Travel) and show the others."""
        self.hidden_links = frozenset(int(kind) for kind in kinds)

    def cut_height(self, low: float | None = None, high: float | None = None) -> None:
        """Show only what is between two heights; None: open."""
        (x0, y0, _), (x1, y1, _) = self.cut.mins, self.cut.maxs
        self.cut = Cut((x0, y0, -np.inf if low is None else low), (x1, y1, np.inf if high is None else high))

    def cut_box(self, mins: Iterable[float], maxs: Iterable[float]) -> None:
        """Show only what is in a box."""
        (x0, y0, z0), (x1, y1, z1) = mins, maxs
        self.cut = Cut((x0, y0, z0), (x1, y1, z1))

    def cut_round(self, area: int, margin: float = 128.0) -> None:
        """Show only what is in a box round an area."""
        self._known(area)
        areas = self.compiled.areas
        self.cut_box(areas.area_mins[area] - margin, areas.area_maxs[area] + margin)

    def uncut(self) -> None:
        """Show everything again, at any height and place."""
        self.cut = Cut()

    def pick(self, area: int) -> None:
        """Pick an area: its card is told and its neighbours light up; −1: none."""
        self._known(area)
        self.picked = area

    def set_start(self, area: int) -> None:
        """Where the route begins; −1: nowhere."""
        self._known(area)
        self.start = area
        self._find_route()

    def set_goal(self, area: int) -> None:
        """Where the route ends, and what travel times lead to; −1: nowhere."""
        self._known(area)
        self.goal = area
        self._find_route()

    def clear(self) -> None:
        """Forget what is picked, the route, and the cut."""
        self.picked = self.start = self.goal = -1
        self.route, self.focus, self.message = None, False, ""
        self.uncut()

    def _known(self, area: int) -> None:
        if not -1 <= area < len(self.compiled.areas):
            raise SceneError(f"there is no area {area}: they are numbered 0 to {len(self.compiled.areas) - 1}")

    def _find_route(self) -> None:
        """The route, when both its ends are known; a message when there is none."""
        self.route, self.message = None, ""
        if self.start < 0 or self.goal < 0:
            return
        try:
            self.route = self.router.route(self.start, self.goal)
        except RouteError as error:
            self.message = str(error)

    # --- what is drawn and told ---------------------------------------------------------------------------------------

    def parts(self) -> dict[str, Part]:
        """The meshes to draw, by name. One that is not there is not shown."""
        from aascompile.viewer.parts import MAKERS

        found: dict[str, Part] = {}
        for layer, maker in MAKERS.items():
            if not self.layers.get(layer, True):
                continue
            depends = maker.depends(self)
            kept = self._kept.get(layer)
            if kept is None or kept[0] != depends:
                made = maker.make(self)
                kept = (depends, {name: part for name, part in made.items() if len(part.mesh)})
                self._kept[layer] = kept
            found.update(kept[1])
        return found

    def labels(self) -> list[Labels]:
        """Words in space: names, numbers, ends of the route."""
        from aascompile.viewer.words import labels

        found: list[Labels] = labels(self)
        return found

    def key(self) -> list[Section]:
        """The legend, in sections: layers, colours of areas, kinds of links, entities."""
        from aascompile.viewer.words import key

        sections: list[Section] = key(self)
        return sections

    def card(self) -> list[str]:
        """The facts of the picked area; no lines when none is picked."""
        from aascompile.viewer.words import card

        lines: list[str] = card(self)
        return lines

    def route_lines(self) -> list[str]:
        """The route, a line for each link; no lines without one."""
        from aascompile.viewer.words import route_lines

        lines: list[str] = route_lines(self)
        return lines

    def area_of(self, name: str, cell: int) -> int:
        """The area that a cell of a part belongs to; −1: none."""
        part = self.parts().get(name)
        return int(part.mesh.item[cell]) if part is not None and part.style.pickable else -1

    # --- what follows from the state ----------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        links = self.compiled.links
        ways = "" if links is None else f", {len(links):,} links"
        if self.change is not None:
            return f"{self.name}: {self.change.counts()}"
        return f"{self.name}: {len(self.compiled.areas):,} areas{ways}"

    @property
    def in_play(self) -> NDArray[np.int64]:
        """(n,) areas that are shown and have links, or else all that are shown, or all."""
        areas = self.compiled.areas
        shown = self.shown_areas
        links = self.compiled.links
        if links is not None:
            used = np.zeros(len(areas), np.bool_)
            used[links.source] = used[links.target] = True
            shown = shown & used if (shown & used).any() else shown
        return np.flatnonzero(shown) if shown.any() else np.arange(len(areas))

    @property
    def bounds(self) -> tuple[Float, Float]:
        """The corners of the box round what is in play."""
        areas, rows = self.compiled.areas, self.in_play
        low, high = areas.area_mins[rows].min(axis=0), areas.area_maxs[rows].max(axis=0)
        low, high = np.maximum(low, self.cut.mins), np.minimum(high, self.cut.maxs)
        return np.minimum(low, high), np.maximum(low, high)

    @property
    def colourings(self) -> tuple[str, ...]:
        """What areas can be coloured by."""
        return tuple(COLOURINGS) if self.change is None else ("change", *COLOURINGS)

    @property
    def colouring(self) -> Colouring:
        """The colour of every area."""
        if self.colour_by == "change" and self.change is not None:
            return self.change.colouring
        times = None
        if self.colour_by == "time" and self.goal >= 0 and self.compiled.links is not None:
            times = self.router.times_to(self.goal)
        return COLOURINGS[self.colour_by](self.compiled, times)

    @property
    def shown_areas(self) -> Mask:
        """(areas,) those of the kinds that are shown, and in focus."""
        hidden = np.array([kind in self.hidden_areas for kind in AREA_KINDS])
        shown: Mask = ~hidden[self.area_kind]
        return self.in_focus if self.focus else shown

    @property
    def shown_links(self) -> Mask:
        """(links,) those of the kinds that are shown, and in focus; of what changed only those that are new."""
        links = self.compiled.links
        if links is None:
            return np.zeros(0, np.bool_)
        shown: Mask = ~np.isin(links.kind, list(self.hidden_links))
        if self.colour_by == "change" and self.change is not None:
            shown &= self.change.gained
        return shown & (self.own_links | self.on_route) if self.focus else shown

    @property
    def in_focus(self) -> Mask:
        """(areas,) what is picked and its neighbours, and what the route passes."""
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
        """(areas,) the picked area, and those that links lead to from it and from which links lead to it."""
        chosen = np.zeros(len(self.compiled.areas), np.bool_)
        links = self.compiled.links
        if self.picked >= 0:
            chosen[self.picked] = True
            if links is not None:
                chosen[links.target[links.source == self.picked]] = True
                chosen[links.source[links.target == self.picked]] = True
        return chosen

    @property
    def own_links(self) -> Mask:
        """(links,) those from and to the picked area."""
        links = self.compiled.links
        if links is None or self.picked < 0:
            return np.zeros(0 if links is None else len(links), np.bool_)
        own: Mask = (links.source == self.picked) | (links.target == self.picked)
        return own

    @property
    def on_route(self) -> Mask:
        """(links,) those that the route takes."""
        links = self.compiled.links
        chosen = np.zeros(0 if links is None else len(links), np.bool_)
        if self.route is not None:
            chosen[self.route.rows] = True
        return chosen

    # --- made once ----------------------------------------------------------------------------------------------------

    @cached_property
    def router(self) -> Router:
        """Who knows the ways; RouteError when the file has no links."""
        return Router(self.compiled)

    @cached_property
    def area_kind(self) -> NDArray[np.int32]:
        """(areas,) row of ``AREA_KINDS``."""
        kinds: NDArray[np.int32] = kinds_of(self.compiled)
        return kinds

    @cached_property
    def shells(self) -> Mesh:
        """Every area, drawn in a little."""
        return build.shells(self.compiled.areas)

    @cached_property
    def link_lines(self) -> Mesh:
        """Every link, in the colour of its kind."""
        links = self.compiled.links
        return nothing() if links is None else build.link_lines(self.compiled, links).coloured(link_colours(links.kind))

    @cached_property
    def map_faces(self) -> tuple[Mesh, Mask]:
        """The map's faces that bound where players are, without the sky, and which of them look up."""
        context = self.compiled.context
        seen = context.flags & SurfaceFlag.SKY == 0
        faces = build.context(context, seen & touched(context, self.compiled.areas, self.compiled.boxes))
        return faces, build.looks_up(faces)

    @cached_property
    def marks(self) -> Marks:
        """Entities."""
        return marks_of(self.compiled.entities)

    def faces(self, flag: FaceFlag) -> Mesh:
        """Every face of one sort; the item is its area."""
        return build.faces_with(self.compiled.areas, flag)

    def faces_contents(self, flag: FaceFlag) -> Bits:
        """(faces of that sort,) what fills the areas on both sides."""
        areas = self.compiled.areas
        chosen = np.flatnonzero(areas.face_flags & flag)
        contents = np.append(areas.area_contents, np.uint32(0))
        return contents[areas.face_front[chosen]] | contents[areas.face_back[chosen]]

    def link_kinds(self) -> dict[int, int]:
        """Kinds of links that there are, and how many of each."""
        links = self.compiled.links
        if links is None:
            return {}
        kinds, counts = np.unique(links.kind, return_counts=True)
        return dict(zip(kinds.tolist(), counts.tolist(), strict=True))


def _change(before: Compiled, after: Compiled) -> Change:
    from aascompile.viewer.change import change

    return change(before, after)


def travel_word(kind: int) -> str:
    """A kind of link in words."""
    return Travel(kind).name.lower().replace("_", " ") if kind in Travel._value2member_map_ else f"kind {kind}"
