"""Camera presets: each fits a part of the scene into the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from aascompile.model.mapdata import Float
from aascompile.viewer.scene import Scene

VIEW_ANGLE: Final = 30.0
"""Vertical field of view, degrees."""

AZIMUTH: Final = 225.0
"""Direction of the camera as seen from its target, degrees counter-clockwise from east. 225: it looks north-east."""

ELEVATION: Final = 40.0
"""Angle of the camera above the horizon, degrees."""

MARGIN: Final = 1.08
"""Factor by which the visible range exceeds the points to fit."""

SURROUNDINGS: Final = 24.0
"""Largest distance from an area to the map faces around it, units."""

FRAME_ROOM: Final = np.array([40.0, 40.0, 28.0])
"""Room around items, spawns and ends of links in an overview, units."""

CLOSEST: Final = 96.0
"""A preset shows at least this much on each side of an area's middle, units."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Position, target and projection of a view."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    up: tuple[float, float, float]
    parallel: float = 0.0
    """Half the height of the visible range in parallel projection, units; 0 for perspective."""


def overview(scene: Scene, aspect: float, azimuth: float = AZIMUTH, elevation: float = ELEVATION) -> Camera:
    """View of everything that is shown, from a corner."""
    return fit(_corners(*shown_boxes(scene)), aspect, azimuth, elevation)


def shown_boxes(scene: Scene) -> tuple[Float, Float]:
    """Boxes that an overview shows: around what is in play; with a cut or a focus, around the areas that are left."""
    if scene.cut.open and not scene.focus:
        return scene.frame - FRAME_ROOM, scene.frame + FRAME_ROOM
    areas, rows = scene.compiled.areas, scene.in_play
    low = np.clip(areas.area_mins[rows] - SURROUNDINGS, scene.cut.mins, scene.cut.maxs)
    high = areas.area_maxs[rows] + SURROUNDINGS
    if not scene.layers["areas"]:  # only faces near the ground are visible then
        high[:, 2] = np.minimum(high[:, 2], low[:, 2] + 2.0 * CLOSEST)
    return low, np.clip(high, scene.cut.mins, scene.cut.maxs)


def frame_corners(scene: Scene) -> Float:
    """``(n, 3)`` outermost corners of what an overview of the whole map shows: those that bound it in any direction."""
    corners = _corners(scene.frame - FRAME_ROOM, scene.frame + FRAME_ROOM)
    turn = np.arange(DIRECTIONS) * np.pi * (3.0 - np.sqrt(5.0))
    up = np.linspace(-1.0, 1.0, DIRECTIONS)
    flat = np.sqrt(1.0 - up * up)
    outermost = np.argmax(corners @ np.stack([flat * np.cos(turn), flat * np.sin(turn), up]), axis=0)
    found: Float = corners[np.unique(outermost)]
    return found


DIRECTIONS: Final = 256
"""Directions in which the outermost corners are looked for."""


def from_above(scene: Scene, aspect: float) -> Camera:
    """Plan of everything that is shown, north up, in parallel projection."""
    boxes = shown_boxes(scene)
    low, high = boxes[0].min(axis=0), boxes[1].max(axis=0)
    middle = (low + high) / 2.0
    width, height = (high - low)[:2]
    half = MARGIN * max(float(height), float(width) / aspect, CLOSEST) / 2.0
    x, y, z = middle.tolist()
    return Camera((x, y, float(high[2]) + 4.0 * half + 64.0), (x, y, z), (0.0, 1.0, 0.0), half)


def fit_areas(scene: Scene, areas: list[int], aspect: float, azimuth: float, elevation: float) -> Camera:
    """View of some areas and their immediate surroundings."""
    all_areas = scene.compiled.areas
    low, high = all_areas.area_mins[areas], all_areas.area_maxs[areas]
    middle, half = (low + high) / 2.0, np.maximum((high - low) / 2.0, CLOSEST)
    return fit(_corners(middle - half, middle + half), aspect, azimuth, elevation)


def fit_points(points: Float, aspect: float, azimuth: float, elevation: float, room: float = CLOSEST) -> Camera:
    """View of the box around some points, with ``room`` units on every side."""
    low, high = points.min(axis=0) - room, points.max(axis=0) + room
    return fit(_corners(low[None], high[None]), aspect, azimuth, elevation)


def fit(points: Float, aspect: float, azimuth: float, elevation: float) -> Camera:
    """Nearest camera in a direction from which all points ``(n, 3)`` fit into the picture."""
    a, e = np.radians(azimuth), np.radians(min(max(elevation, -89.0), 89.0))
    back = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    up = np.cross(back, right)
    tall = np.tan(np.radians(VIEW_ANGLE / 2.0)) / MARGIN
    wide = tall * aspect
    target = (points.min(axis=0) + points.max(axis=0)) / 2.0
    for _ in range(8):  # points near the camera take more room, so the target is not the middle of the box
        u, v, w = ((points - target) @ axis for axis in (right, up, back))
        distance = float(np.max(w + np.maximum(np.abs(u) / wide, np.abs(v) / tall)))
        depth = np.maximum(distance - w, 1.0)
        sideways = ((u / depth).max() + (u / depth).min()) / 2.0
        upwards = ((v / depth).max() + (v / depth).min()) / 2.0
        target = target + distance * (sideways * right + upwards * up)
    position = target + distance * back
    return Camera(_point(position), _point(target), (0.0, 0.0, 1.0))


def zoomed(camera: Camera, by: float) -> Camera:
    """The camera, closer to its target by a factor."""
    position, target = np.array(camera.position), np.array(camera.target)
    return Camera(_point(target + (position - target) / by), camera.target, camera.up, camera.parallel / by)


def turned(camera: Camera, degrees: float) -> Camera:
    """The camera, turned around its target."""
    a = np.radians(degrees)
    turn = np.array([(np.cos(a), -np.sin(a), 0.0), (np.sin(a), np.cos(a), 0.0), (0.0, 0.0, 1.0)])
    position, target = np.array(camera.position), np.array(camera.target)
    return Camera(_point(target + turn @ (position - target)), camera.target, _point(turn @ camera.up), camera.parallel)


def _corners(low: Float, high: Float) -> Float:
    """``(8 n, 3)`` corners of boxes."""
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    return np.where(bits[None], high[:, None], low[:, None]).reshape(-1, 3)


def _point(value: Float) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in value)
    return x, y, z
