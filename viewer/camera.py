"""Where one looks from: presets that fit what is asked for into the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from aascompile.model.mapdata import Float
from aascompile.viewer.scene import Scene

VIEW_ANGLE: Final = 30.0
"""Degrees from the lower to the upper rim of the picture."""

AZIMUTH: Final = 225.0
"""Degrees: where the viewer stands, counter-clockwise from east; from the south-west, north-east is up."""

ELEVATION: Final = 40.0
"""Degrees above the horizon."""

MARGIN: Final = 1.08
"""How much more than what is to be seen fits into the picture."""

ROUND: Final = 24.0
"""Units between the areas and the map's own faces round them, at most."""

CLOSEST: Final = 96.0
"""Units: a preset shows at least this much to each side of an area."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A place to look from."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    up: tuple[float, float, float]
    parallel: float = 0.0
    """Half the height of what is seen, units, when there is no perspective; 0: there is."""


def overview(scene: Scene, aspect: float, azimuth: float = AZIMUTH, elevation: float = ELEVATION) -> Camera:
    """All that is shown, from a corner."""
    areas, rows = scene.compiled.areas, scene.in_play
    low = np.clip(areas.area_mins[rows] - ROUND, scene.cut.mins, scene.cut.maxs)
    high = areas.area_maxs[rows] + ROUND
    if not scene.layers["areas"]:  # only what is near the ground is seen then
        high[:, 2] = np.minimum(high[:, 2], low[:, 2] + 2.0 * CLOSEST)
    high = np.clip(high, scene.cut.mins, scene.cut.maxs)
    return fitted(_corners(low, high), aspect, azimuth, elevation)


def from_above(scene: Scene, aspect: float) -> Camera:
    """All that is shown as a plan, north up."""
    low, high = scene.bounds
    middle = (low + high) / 2.0
    width, height = (high - low)[:2]
    half = MARGIN * max(float(height), float(width) / aspect, CLOSEST) / 2.0
    x, y, z = middle.tolist()
    return Camera((x, y, float(high[2]) + 4.0 * half + 64.0), (x, y, z), (0.0, 1.0, 0.0), half)


def of_areas(scene: Scene, areas: list[int], aspect: float, azimuth: float, elevation: float) -> Camera:
    """Some areas and what is right beside them."""
    known = scene.compiled.areas
    low, high = known.area_mins[areas], known.area_maxs[areas]
    middle, half = (low + high) / 2.0, np.maximum((high - low) / 2.0, CLOSEST)
    return fitted(_corners(middle - half, middle + half), aspect, azimuth, elevation)


def of_points(points: Float, aspect: float, azimuth: float, elevation: float, room: float = CLOSEST) -> Camera:
    """The box round points, a way for instance, and some room beside it."""
    low, high = points.min(axis=0) - room, points.max(axis=0) + room
    return fitted(_corners(low[None], high[None]), aspect, azimuth, elevation)


def fitted(points: Float, aspect: float, azimuth: float, elevation: float) -> Camera:
    """From a direction, as near as all points (n, 3) still fit in."""
    a, e = np.radians(azimuth), np.radians(min(max(elevation, -89.0), 89.0))
    back = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    up = np.cross(back, right)
    tall = np.tan(np.radians(VIEW_ANGLE / 2.0)) / MARGIN
    wide = tall * aspect
    target = (points.min(axis=0) + points.max(axis=0)) / 2.0
    for _ in range(8):  # the middle of the picture is not the middle of the box: what is near takes more room
        u, v, w = ((points - target) @ axis for axis in (right, up, back))
        distance = float(np.max(w + np.maximum(np.abs(u) / wide, np.abs(v) / tall)))
        depth = np.maximum(distance - w, 1.0)
        sideways = ((u / depth).max() + (u / depth).min()) / 2.0
        upwards = ((v / depth).max() + (v / depth).min()) / 2.0
        target = target + distance * (sideways * right + upwards * up)
    position = target + distance * back
    return Camera(_point(position), _point(target), (0.0, 0.0, 1.0))


def zoomed(camera: Camera, by: float) -> Camera:
    """Nearer to the target by a factor."""
    position, target = np.array(camera.position), np.array(camera.target)
    return Camera(_point(target + (position - target) / by), camera.target, camera.up, camera.parallel / by)


def turned(camera: Camera, degrees: float) -> Camera:
    """Walked round the target."""
    a = np.radians(degrees)
    turn = np.array([(np.cos(a), -np.sin(a), 0.0), (np.sin(a), np.cos(a), 0.0), (0.0, 0.0, 1.0)])
    position, target = np.array(camera.position), np.array(camera.target)
    return Camera(_point(target + turn @ (position - target)), camera.target, _point(turn @ camera.up), camera.parallel)


def _corners(low: Float, high: Float) -> Float:
    """(8 n, 3) the corners of boxes."""
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    return np.where(bits[None], high[:, None], low[:, None]).reshape(-1, 3)


def _point(value: Float) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in value)
    return x, y, z
