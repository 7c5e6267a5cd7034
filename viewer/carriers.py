"""What carries players, and what the mapper put into space by hand: movers at their stops, and volumes, as meshes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from aascompile.escaping import printable
from aascompile.model.by_hand import BLOCK, COST, PORTAL
from aascompile.model.compiled import Compiled
from aascompile.model.links import RIDES, are_of
from aascompile.model.mapdata import Float
from aascompile.nav.by_hand import Volume, volumes
from aascompile.nav.rides import Ride, ride_of
from aascompile.viewer import build, palette
from aascompile.viewer.meshes import Colour, Mesh, Shape, empty_mesh, mesh

POINT: Final = 7.0
"""Half the width of the marks where players get on and off, units."""

VOLUME_COLOURS: Final[dict[str, Colour]] = {BLOCK: (245, 69, 21), COST: (255, 214, 92), PORTAL: (196, 202, 255)}
"""Colour of each class of volumes."""


@dataclass(frozen=True, slots=True, eq=False)
class Carriers:
    """Movers that links use."""

    rides: dict[int, Ride]
    """By link."""
    boxes: Mesh
    """Their boxes at the stops where players get on and off, and between. The item is the brush model."""
    paths: Mesh
    """Their ways between these stops."""
    points: Mesh
    """Marks where players get on and off."""


def carriers_of(compiled: Compiled) -> Carriers:
    """The movers of a file."""
    links = compiled.links
    rows = [] if links is None else np.flatnonzero(are_of(links.kind, RIDES)).tolist()
    found = {row: ride for row in rows if (ride := ride_of(compiled, row)) is not None}
    stops: dict[tuple[int, tuple[float, ...]], Float] = {}
    ways: dict[tuple[int, bytes], Float] = {}
    for ride in found.values():
        for middle in ride.path:
            stops[ride.model, tuple(middle.round().tolist())] = np.array((middle - ride.half, middle + ride.half))
        if len(ride.path) > 1:
            ways[ride.model, ride.path.round().tobytes()] = ride.path
    corner = np.array(list(stops.values())).reshape(-1, 2, 3)
    item = np.array([model for model, _ in stops], np.int32)
    boxes = build.boxes(corner[:, 0], corner[:, 1], item) if len(item) else empty_mesh()
    places = np.array([point for ride in found.values() for point in (ride.board, ride.leave)]).reshape(-1, 3)
    places = np.unique(places.round(), axis=0)
    marks = build.marks(places - build.MARK_LIFT, np.zeros(len(places), np.int32), POINT)
    return Carriers(
        found,
        build.lifted(boxes, compiled.boxes).coloured(palette.MOVER),
        build.lifted(_lines(list(ways.values())), compiled.boxes).coloured(palette.MOVER),
        marks.coloured(palette.BOARDED),
    )


def _lines(paths: list[Float]) -> Mesh:
    """A line through the points of each path."""
    if not paths:
        return empty_mesh(Shape.LINES)
    start = np.concatenate(([0], np.cumsum([len(path) for path in paths]))).astype(np.int64)
    return mesh(Shape.LINES, start, np.concatenate(paths), np.arange(len(paths), dtype=np.int32))


def volume_boxes(compiled: Compiled) -> Mesh:
    """The volumes that the mapper made, as boxes. The item is the entity."""
    found = volumes(compiled)
    if not found:
        return empty_mesh()
    row = np.array([volume.row for volume in found], np.int32)
    boxes = build.boxes(np.array([volume.low for volume in found]), np.array([volume.high for volume in found]), row)
    colour = np.zeros((int(row.max()) + 1, 3), np.uint8)
    colour[row] = [VOLUME_COLOURS[volume.kind] for volume in found]
    return build.lifted(boxes, compiled.boxes).coloured(colour)


def volume_labels(compiled: Compiled) -> list[tuple[Volume, Float, str]]:
    """The volumes, each with the point where its label stands and what it says: its name and effect."""
    lift = np.array((0.0, 0.0, compiled.boxes.feet))
    return [
        (volume, np.append((volume.low + volume.high)[:2] / 2.0, volume.high[2]) + lift, printable(volume.text, 60))
        for volume in volumes(compiled)
    ]
