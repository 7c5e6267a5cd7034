"""The gravity of a map: one rule, applied once after reading, for throws, falls, jumps and everything else."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Final

from aascompile.model.mapdata import Entity, MapData
from aascompile.settings import Physics, Settings

KEY: Final = "gravity"
"""Key of worldspawn; its value is in units/s²."""


def with_gravity_of(map_data: MapData, settings: Settings) -> Settings:
    """Settings with the gravity that the map asks for.

    The game takes gravity from worldspawn's "gravity". Where a map has no such key, or its value is not a number within
    the limits of ``physics.gravity``, the settings stay as they are.
    """
    gravity = _world(map_data).number(KEY, float("nan"))
    if not _is_sane(gravity):
        return settings
    return replace(settings, physics=replace(settings.physics, gravity=gravity))


def gravity_fault(map_data: MapData) -> str:
    """Clause that says why the map's own gravity is not used; "" if it is used or the map sets no gravity."""
    world = _world(map_data)
    text = world.get(KEY)
    if not text or _is_sane(world.number(KEY, float("nan"))):
        return ""
    low, high = _limits()
    return f"its gravity is {text[:64]!r}, but must be {low:g} to {high:g}"


def _world(map_data: MapData) -> Entity:
    """Entity that owns the world's model."""
    row = int(map_data.models.entity[0]) if len(map_data.models.entity) else -1
    return map_data.entities[row] if 0 <= row < len(map_data.entities) else Entity(())


def _is_sane(gravity: float) -> bool:
    """Whether a gravity lies within the setting's limits. NaN does not."""
    low, high = _limits()
    return low <= gravity <= high


def _limits() -> tuple[float, float]:
    """Lowest and highest value of the setting."""
    (field,) = (field for field in fields(Physics) if field.name == "gravity")
    return field.metadata["low"], field.metadata["high"]
