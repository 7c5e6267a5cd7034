"""The samples have as many areas as their README explains."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.settings import QUAKE3
from tests.stages import run

COUNTS = {
    "arch": (3, 6),
    "barrier": (2, 3),
    "barrier_high": (2, 3),
    "bobbing_horizontal": (3, 4),
    "bobbing_vertical": (2, 3),
    "botclip": (3, 6),
    "beam_corner": (8, 10),
    "box": (1, 2),
    "by_hand": (10, 12),
    "by_hand_entities": (4, 8),
    "clip": (3, 6),
    "clusterportal": (9, 18),
    "crease": (1, 2),
    "crouch": (2, 5),
    "current": (4, 5),
    "curve": (1, 2),
    "donotenter": (4, 8),
    "door": (5, 10),
    "door_bridge": (9, 10),
    "door_called": (4, 5),
    "door_counter": (5, 10),
    "door_delay": (5, 10),
    "door_lift": (6, 7),
    "door_shot": (5, 10),
    "door_timer": (4, 5),
    "doorway": (3, 6),
    "elevator": (2, 3),
    "elevator_bevelled": (2, 3),
    "elevator_crush": (2, 5),
    "gap": (3, 4),
    "gap_330": (3, 4),
    "gap_430": (3, 4),
    "gap_500": (3, 4),
    "gap_narrow": (4, 5),
    "gap_slanting": (9, 10),
    "jump_late": (8, 9),
    "ledge_beam": (7, 8),
    "hint": (2, 3),
    "hole": (5, 6),
    "hurt": (7, 8),
    "item_high": (3, 4),
    "jumppad": (7, 8),
    "jumppad_chain": (8, 9),
    "jumppad_ramp": (8, 10),
    "jumppad_short": (10, 11),
    "jumppad_tall": (11, 12),
    "jumppad_teleporter": (9, 12),
    "jumppad_water": (7, 8),
    "ladder": (5, 6),
    "lava": (7, 8),
    "leak": (2, 4),
    "ledge": (2, 3),
    "ledge_obstacle": (3, 5),
    "ledge_slope": (2, 4),
    "low_gravity": (8, 9),
    "pendulum": (4, 5),
    "pillars": (21, 22),
    "pit": (5, 6),
    "pit_corner": (6, 7),
    "plate_thin": (1, 2),
    "pool_deep": (6, 7),
    "pool_steps": (13, 14),
    "push_sideways": (5, 6),
    "push_water": (7, 8),
    "ramp_shallow": (2, 3),
    "ramp_steep": (2, 3),
    "rises": (2, 3),
    "rocketjump": (2, 3),
    "rotating": (10, 11),
    "shaft": (7, 12),
    "slanted": (33, 35),
    "stairs": (2, 3),
    "static": (5, 10),
    "swim": (7, 10),
    "teleporter": (6, 8),
    "teleporter_sheet": (9, 11),
    "terrain": (1, 2),
    "terrain_cliff": (2, 3),
    "train": (4, 5),
    "train_loop": (12, 13),
    "wedge": (14, 15),
    "well": (6, 7),
}
"""For each sample: the number of areas in which a player can stand, and the number of all areas."""

STANDING = np.uint32(QUAKE3.boxes[0].presence)


@pytest.mark.parametrize("name", COUNTS)
def test_each_sample_has_the_expected_number_of_areas(name: str, samples: Path) -> None:
    found = run(str(samples / f"{name}.map"))
    standing = int((found.areas.area_presence & STANDING != 0).sum())
    assert (standing, len(found.areas)) == COUNTS[name]
    assert [failure.sentence() for failure in failures(found.compiled)] == []


def test_the_readme_gives_the_same_numbers(samples: Path) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| (\d+) / (\d+): [^|]+ \|", (samples / "README.md").read_text(), re.MULTILINE
    )
    assert {name: (int(standing), int(every)) for name, standing, every in rows} == COUNTS
    assert set(COUNTS) == {path.stem for path in samples.glob("*.map")}
