"""The samples have the links that their README lists, with the times that it computes by hand."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from aascompile.model.areas import Areas
from aascompile.model.links import Links, Travel
from aascompile.pipeline import link_areas, make_areas, understand
from aascompile.player.movement import Movement
from aascompile.report import Report
from aascompile.sampling.sample import areas_at

SAMPLES = Path(__file__).parent.parent.parent / "samples"

Point = tuple[float, float, float]

NEAR = 1.0
"""Units by which the start and end of a link may differ from the table."""

COUNTS = {
    "arch": "walk 4",
    "barrier": "barrier jump 1, walk off ledge 1",
    "barrier_high": "barrier jump 1, walk off ledge 1",
    "beam_corner": "walk 6",
    "bobbing_horizontal": "bobbing 2, walk off ledge 2",
    "bobbing_vertical": "bobbing 2, walk off ledge 1, rocket jump 1",
    "botclip": "walk 4",
    "box": "none",
    "by_hand": "teleport 3, walk 14",
    "by_hand_entities": "walk 7, grapple 1",
    "clip": "walk 4",
    "clusterportal": "walk 16",
    "crease": "none",
    "crouch": "crouch 4",
    "current": "water jump 2, walk off ledge 2",
    "curve": "none",
    "donotenter": "walk 8",
    "door": "walk 8",
    "door_bridge": "bobbing 4",
    "door_called": "elevator 1, walk off ledge 1, rocket jump 1",
    "door_counter": "walk 8",
    "door_delay": "walk 8",
    "door_lift": "elevator 7, walk 10, walk off ledge 1, rocket jump 4",
    "door_shot": "walk 8",
    "door_timer": "elevator 3, bobbing 1, walk 2, walk off ledge 1, rocket jump 1",
    "doorway": "walk 4",
    "elevator": "elevator 1, walk off ledge 1, rocket jump 1",
    "elevator_bevelled": "elevator 1, walk off ledge 1, rocket jump 1",
    "elevator_crush": "none",
    "gap": "jump 2, walk off ledge 2, rocket jump 1",
    "gap_330": "walk off ledge 2, rocket jump 1",
    "gap_430": "walk off ledge 2, rocket jump 1",
    "gap_500": "walk off ledge 2, rocket jump 1",
    "gap_narrow": "walk off ledge 2",
    "gap_slanting": "walk off ledge 2, walk 2",
    "hint": "walk 2",
    "hole": "walk 8, walk off ledge 4, rocket jump 1",
    "hurt": "walk 10",
    "item_high": "water jump 1, walk off ledge 1",
    "jumppad": "jump pad 1, walk 12, walk off ledge 3, rocket jump 2",
    "jumppad_chain": "jump pad 2, walk off ledge 1, walk 2",
    "jumppad_ramp": "jump pad 1, teleport 1, walk 3",
    "jumppad_short": "jump 2, walk 10",
    "jumppad_tall": "jump pad 5, walk 24, walk off ledge 3, barrier jump 4, rocket jump 3",
    "jumppad_teleporter": "jump pad 2, teleport 2, walk off ledge 1, walk 2",
    "jumppad_water": "jump pad 1, walk off ledge 2, water jump 2, walk 2",
    "jump_late": "walk 10",
    "ladder": "ladder 2, walk 6, walk off ledge 4, rocket jump 3",
    "lava": "walk 4, water jump 6",
    "leak": "barrier jump 1, walk off ledge 1",
    "ledge": "walk off ledge 1",
    "ledge_beam": "walk off ledge 1, walk 2",
    "ledge_obstacle": "walk off ledge 3",
    "ledge_slope": "walk off ledge 1",
    "low_gravity": "jump 2, jump pad 1, walk 12, walk off ledge 2, rocket jump 4",
    "pendulum": "bobbing 2",
    "pillars": "jump 5, walk off ledge 24, walk 56, rocket jump 11",
    "pit": "walk off ledge 4, walk 8",
    "pit_corner": "walk 8",
    "plate_thin": "none",
    "pool_deep": "water jump 4, walk off ledge 4, walk 8",
    "pool_steps": "walk 17, swim 16, water jump 4, walk off ledge 3, barrier jump 2",
    "push_sideways": "jump pad 1, walk 1",
    "push_water": "jump pad 1, swim 7, walk off ledge 2, water jump 1",
    "ramp_shallow": "walk 2, rocket jump 1",
    "ramp_steep": "walk off ledge 1",
    "rises": "barrier jump 1, walk 1",
    "rocketjump": "rocket jump 1, walk off ledge 1",
    "rotating": "bobbing 6, jump 4",
    "shaft": "swim 10, water jump 4, walk 8, walk off ledge 5",
    "slanted": "walk 108, barrier jump 10, walk off ledge 21, jump 1, crouch 6",
    "stairs": "walk 2, rocket jump 1",
    "static": "walk 8",
    "swim": "swim 6, walk off ledge 2, water jump 2",
    "teleporter": "teleport 1, walk 7",
    "teleporter_sheet": "teleport 2, walk off ledge 1, jump pad 1, walk 1",
    "terrain": "none",
    "terrain_cliff": "walk off ledge 1",
    "train": "bobbing 2, walk off ledge 2, walk 2, rocket jump 1",
    "train_loop": "bobbing 6",
    "well": "walk off ledge 5, water jump 4, walk 8",
    "wedge": "walk 36, barrier jump 8, walk off ledge 9",
}
"""All links of each sample by travel type; the type that it demonstrates comes first."""


@dataclass(frozen=True)
class Expected:
    """An expected link from the area at one point to the area at another."""

    kind: Travel
    source: Point
    target: Point
    start: Point
    end: Point
    time: str
    """Hundredths of a second, with the calculation."""


WALK, CROUCH, BARRIER, JUMP = Travel.WALK, Travel.CROUCH, Travel.BARRIER_JUMP, Travel.JUMP
LEDGE, SWIM, WATER, ROCKET = Travel.WALK_OFF_LEDGE, Travel.SWIM, Travel.WATER_JUMP, Travel.ROCKET_JUMP
ELEVATOR, BOBBING = Travel.ELEVATOR, Travel.BOBBING

EXPECTED: dict[str, list[Expected]] = {
    "arch": [Expected(WALK, (200, 0, 25), (0, 0, 25), (47, 0, 24), (42, 0, 24), "1")],
    "barrier": [
        Expected(BARRIER, (-100, 0, 25), (100, 0, 57), (-17.5, 0, 24), (9, 0, 56), "100"),
        Expected(LEDGE, (100, 0, 57), (-100, 0, 25), (-12.5, 0, 56), (-77, 0, 24), "70 + 50·32/800 = 72"),
    ],
    "barrier_high": [
        Expected(BARRIER, (-100, 0, 25), (100, 0, 81), (-17.5, 0, 24), (-10, 0, 80), "100"),
        Expected(LEDGE, (100, 0, 81), (-100, 0, 25), (-12.5, 0, 80), (-96.5, 0, 24), "70 + 50·56/800 = 74"),
    ],
    "beam_corner": [
        Expected(WALK, (-200, -200, 25), (0, -224, 25), (-113, -224, 24), (-108, -224, 24), "1"),
        Expected(WALK, (0, -224, 25), (224, 0, 25), (224, -177, 24), (224, -172, 24), "1"),
    ],
    "bobbing_horizontal": [
        Expected(BOBBING, (300, 0, 25), (-300, 0, 25), (264, 0, 24), (-264, 0, 24), "300"),
        Expected(BOBBING, (-300, 0, 25), (300, 0, 25), (-264, 0, 24), (264, 0, 24), "300"),
        Expected(LEDGE, (300, 0, 25), (0, 0, -231), (243.5, 0, 24), (27.5, 0, -232), "70 + 50·256/800 + 300 = 386"),
        Expected(LEDGE, (-300, 0, 25), (0, 0, -231), (-243.5, 0, 24), (-27.5, 0, -232), "70 + 50·256/800 + 300 = 386"),
    ],
    "bobbing_vertical": [
        Expected(BOBBING, (-96, 0, 25), (150, 0, 217), (-8, -80, 24), (72, 0, 216), "300"),
        Expected(BOBBING, (150, 0, 217), (-96, 0, 25), (72, 0, 216), (-8, -80, 24), "300"),
        Expected(LEDGE, (150, 0, 217), (-96, 0, 25), (51.5, 0, 216), (-132.5, 0, 24), "70 + 50·192/800 = 82"),
        Expected(ROCKET, (-96, 0, 25), (150, 0, 217), (-96, 0, 24), (65, 0, 216), "500"),
    ],
    "botclip": [Expected(WALK, (200, 0, 25), (0, -96, 25), (23, -96, 24), (18, -96, 24), "1")],
    "clip": [Expected(WALK, (200, 0, 25), (0, -96, 25), (23, -96, 24), (18, -96, 24), "1")],
    "by_hand": [
        Expected(Travel.TELEPORT, (-281, 0, 25), (150, 0, 25), (-292, 0, 24), (96, 0, 24), "100"),
        Expected(Travel.TELEPORT, (-281, 0, 25), (-150, 0, 25), (-281, 0, 24), (-36, 96, 24), "50"),
        Expected(Travel.TELEPORT, (281, 0, 25), (-150, 0, 25), (281, 0, 24), (-156, -96, 24), "50"),
    ],
    "by_hand_entities": [
        Expected(Travel.GRAPPLE, (200, 0, 25), (-200, 0, 25), (160, 0, 24), (-160, 0, 24), "300"),
        Expected(WALK, (0, -96, 25), (200, 0, 25), (23, -96, 24), (28, -96, 24), "1"),
    ],
    "clusterportal": [
        Expected(WALK, (-187, 0, 25), (-160, 0, 25), (-183, 0, 24), (-178, 0, 24), "1"),
        Expected(WALK, (160, 0, 25), (187, 0, 25), (183, 0, 24), (188, 0, 24), "1"),
    ],
    "crouch": [
        Expected(CROUCH, (200, 0, 25), (0, 0, 25), (79, 0, 24), (74, 0, 24), "1 + 300 = 301"),
        Expected(CROUCH, (0, 0, 25), (200, 0, 25), (79, 0, 24), (84, 0, 24), "1"),
    ],
    "current": [
        Expected(WATER, (0, 0, -60), (300, 0, 25), (240, 40.5, -18), (246, 40.5, 48), "400"),
        Expected(LEDGE, (-300, 0, 25), (0, 0, -60), (-243.5, 0, 24), (-168.2, 0, -23), "70 + 50·47/800 = 73"),
    ],
    "donotenter": [
        Expected(WALK, (200, 0, 25), (0, 96, 25), (23, 96, 24), (18, 96, 24), "1"),
        Expected(WALK, (200, 0, 25), (0, -96, 25), (23, -96, 24), (18, -96, 24), "1"),
    ],
    "door": [
        Expected(
            WALK, (-21, 0, 25), (0, 0, 25), (-19, 0, 24), (-14, 0, 24), "1 + 66·4/100 + 2 + 66·64/100 + 300 = 348"
        ),
        Expected(WALK, (21, 0, 25), (0, 0, 25), (19, 0, 24), (14, 0, 24), "1 + 3000 = 3001"),
    ],
    "doorway": [
        Expected(WALK, (200, 0, 25), (0, 0, 25), (23, 0, 24), (18, 0, 24), "1"),
        Expected(WALK, (0, 0, 25), (-200, 0, 25), (-23, 0, 24), (-28, 0, 24), "1"),
    ],
    "door_bridge": [
        Expected(BOBBING, (-300, 0, 25), (300, 0, 25), (-444, 0, 24), (176, 0, 24), "77 + 33·620/100 = 282"),
        Expected(BOBBING, (300, 0, 25), (-300, 0, 25), (444, 0, 24), (-176, 0, 24), "77 + 33·620/100 = 282"),
        Expected(BOBBING, (0, 0, 25), (300, 0, 25), (-144, 0, 24), (176, 0, 24), "33·320/100 = 106"),
    ],
    "door_called": [
        Expected(ELEVATOR, (-200, 0, 25), (200, 0, 217), (-252, 0, 24), (72, 0, 216), "50 + 200 + 92 + 300 + 92 = 734"),
        Expected(LEDGE, (200, 0, 217), (-200, 0, 25), (51.5, 0, 216), (-132.5, 0, 24), "70 + 50·192/800 = 82"),
    ],
    "door_counter": [
        Expected(
            WALK, (-21, 0, 25), (0, 0, 25), (-19, 0, 24), (-14, 0, 24), "1 + 99·4/100 + 3 + 99·64/100 + 300 = 371"
        ),
        Expected(WALK, (21, 0, 25), (0, 0, 25), (19, 0, 24), (14, 0, 24), "1 + 3000 = 3001"),
    ],
    "door_delay": [
        Expected(
            WALK,
            (-21, 0, 25),
            (0, 0, 25),
            (-19, 0, 24),
            (-14, 0, 24),
            "1 + 33·4/100 + 1 + 33·64/100 + 400 + 300 = 724",
        ),
        Expected(WALK, (21, 0, 25), (0, 0, 25), (19, 0, 24), (14, 0, 24), "1 + 3000 = 3001"),
    ],
    "door_shot": [
        Expected(WALK, (-21, 0, 25), (0, 0, 25), (-19, 0, 24), (-14, 0, 24), "1 + 1100 = 1101"),
        Expected(WALK, (21, 0, 25), (0, 0, 25), (19, 0, 24), (14, 0, 24), "1 + 1100 = 1101"),
    ],
    "door_timer": [
        Expected(ELEVATOR, (-200, 0, 25), (200, 0, 217), (-112, 0, 24), (80, 0, 216), "50 + 92 + 400 = 542"),
        Expected(BOBBING, (200, 0, 217), (-200, 0, 25), (80, 0, 216), (-112, 0, 24), "50 + 92 + 200 + 92 + 400 = 834"),
        Expected(LEDGE, (200, 0, 217), (-200, 0, 25), (51.5, 0, 216), (-132.5, 0, 24), "70 + 50·192/800 = 82"),
    ],
    "door_lift": [
        Expected(ELEVATOR, (-200, 0, 25), (200, 0, 217), (-120, 0, 24), (72, 0, 216), "50 + 100·184/200 = 142"),
        Expected(LEDGE, (200, 0, 217), (-200, 0, 25), (51.5, 0, 216), (-132.5, 0, 24), "70 + 50·192/800 = 82"),
    ],
    "elevator": [
        Expected(ELEVATOR, (-96, 0, 25), (150, 0, 217), (0, -112, 24), (80, 0, 216), "50 + 100·184/200 = 142"),
        Expected(LEDGE, (150, 0, 217), (-96, 0, 25), (51.5, 0, 216), (-132.5, 0, 24), "70 + 50·192/800 = 82"),
    ],
    "elevator_bevelled": [
        Expected(ELEVATOR, (-96, 0, 25), (200, 0, 217), (-98, 0, 24), (130, 0, 216), "50 + 100·184/200 = 142"),
        Expected(LEDGE, (200, 0, 217), (-96, 0, 25), (99.5, 0, 216), (-84.5, 0, 24), "70 + 50·192/800 = 82"),
    ],
    "gap": [
        Expected(JUMP, (200, 0, 25), (-200, 0, 25), (79, 0, 24), (-70, 0, 24), "300 + 240·135/320 = 401"),
        Expected(JUMP, (-200, 0, 25), (200, 0, 25), (-79, 0, 24), (70, 0, 24), "300 + 240·135/320 = 401"),
        Expected(LEDGE, (200, 0, 25), (0, 0, -167), (67.5, 0, 24), (-65, 0, -168), "70 + 50·192/800 = 82"),
        Expected(ROCKET, (0, 0, -167), (200, 0, 25), (0, 0, -168), (81, 0, 24), "500"),
    ],
    "gap_330": [
        Expected(LEDGE, (-100, 0, 25), (126, 0, -167), (12.5, 0, 24), (196.5, 0, -168), "70 + 50·192/800 = 82"),
    ],
    "gap_430": [
        Expected(LEDGE, (-100, 0, 25), (160, 0, -167), (12.5, 0, 24), (196.5, 0, -168), "70 + 50·192/800 = 82"),
    ],
    "gap_500": [
        Expected(LEDGE, (-100, 0, 25), (184, 0, -167), (12.5, 0, 24), (196.5, 0, -168), "70 + 50·192/800 = 82"),
    ],
    "gap_narrow": [
        Expected(LEDGE, (-200, 0, 25), (200, 0, 25), (-18.5, 0, 24), (18, 0, 24), "70 + 50·0/800 = 70"),
        Expected(LEDGE, (200, 0, 25), (-200, 0, 25), (18.5, 0, 24), (-18, 0, 24), "70 + 50·0/800 = 70"),
    ],
    "gap_slanting": [
        Expected(LEDGE, (0, -100, 25), (-110, 200, 25), (-115, 12.5, 24), (-115, 49, 24), "70 + 50·0/800 = 70"),
        Expected(LEDGE, (-110, 200, 25), (0, -100, 25), (-125, 51.5, 24), (-126.4, 15, 24), "70 + 50·0/800 = 70"),
    ],
    "hint": [Expected(WALK, (100, -128, 25), (-128, 128, 25), (-128, -15, 24), (-128, -10, 24), "1")],
    "hole": [
        Expected(LEDGE, (-100, 0, 25), (0, 0, -103), (-35.5, 0, 24), (33, 0, -104), "70 + 50·128/800 = 78"),
        Expected(LEDGE, (0, 100, 25), (0, 0, -103), (0, 35.5, 24), (0, -33, -104), "70 + 50·128/800 = 78"),
    ],
    "hurt": [
        Expected(WALK, (0, 68, 25), (120, 68, 25), (79, 68, 24), (84, 68, 24), "1"),
        Expected(WALK, (240, 0, 25), (0, -68, 25), (175, -68, 24), (170, -68, 24), "1"),
    ],
    "item_high": [
        Expected(WATER, (100, 0, 0), (-200, 0, 25), (-48, -56.5, -10), (-54, -56.5, 48), "400"),
        Expected(LEDGE, (-200, 0, 25), (100, 0, 0), (-51.5, 0, 24), (11.3, 0, -10), "70 + 50·34/800 = 72"),
    ],
    "jump_late": [Expected(WALK, (-264, 140, 25), (-200, 0, 25), (-264, 113, 24), (-264, 108, 24), "1")],
    "jumppad": [
        Expected(Travel.JUMP_PAD, (-192, 0, 25), (100, 0, 281), (-192, 0, 24), (58.5, 0, 280), "250"),
        Expected(
            LEDGE, (100, 0, 281), (-192, 80, 25), (-12.5, 65, 280), (-228.5, 65, 24), "70 + 50·256/800 + 300 = 386"
        ),
        Expected(LEDGE, (100, 0, 281), (-192, 0, 25), (-12.5, 0, 280), (-224.5, 0, 32), "70 + 50·248/800 = 86"),
        Expected(WALK, (-80, 0, 25), (-192, 0, 25), (-145, 0, 24), (-150, 0, 24), "1"),
    ],
    "jumppad_chain": [
        Expected(Travel.JUMP_PAD, (-392, 0, 25), (0, 0, 25), (-392, 0, 24), (-3, 0, 56), "250"),
        Expected(Travel.JUMP_PAD, (0, 0, 25), (400, 0, 281), (0, 0, 24), (313, 0, 280), "250"),
        Expected(LEDGE, (400, 0, 281), (0, 0, 25), (227.5, 0, 280), (28, 0, 56), "70 + 50·224/800 = 84"),
    ],
    "jumppad_tall": [
        Expected(Travel.JUMP_PAD, (-128, 0, 60), (200, 0, 217), (-128, 0, 56), (238.6, 0, 216), "250"),
        Expected(BARRIER, (-50, 0, 25), (-128, 0, 60), (-62.5, 0, 24), (-88.9, 0, 56), "100"),
        Expected(LEDGE, (200, 0, 217), (-68, 97, 25), (115.5, 97, 216), (-67.9, 97, 24), "70 + 50·192/800 = 82"),
    ],
    "jumppad_water": [
        Expected(Travel.JUMP_PAD, (-160, 0, 25), (100, 0, 0), (-160, 0, 24), (147.6, 0, -13.7), "250"),
        Expected(WATER, (100, 0, 0), (300, 0, 25), (240, 56.5, -10), (246, 56.5, 48), "400"),
        Expected(LEDGE, (0, 0, 25), (100, 0, 0), (12.5, 0, 24), (75.3, 0, -10.4), "70 + 50·34/800 = 72"),
    ],
    "jumppad_ramp": [
        Expected(Travel.JUMP_PAD, (-95, 0, 72), (424, 0, 200), (-95, 0, 71), (385, 0, 184), "250"),
        Expected(Travel.TELEPORT, (424, 0, 200), (700, 0, 25), (424, 0, 268), (668, 0, 24), "50"),
    ],
    "jumppad_short": [
        Expected(JUMP, (-20, 0, 110), (230, 0, 25), (-1, 0, 108), (226, 0, 24), "300 + 240·227/320 = 470"),
        Expected(WALK, (-200, 144, 25), (0, 144, 25), (-175, 144, 24), (-170, 144, 24), "1"),
    ],
    "ladder": [
        Expected(Travel.LADDER, (-100, 0, 25), (45, 0, 217), (40, 0, 24), (41, 0, 216), "10 + 100·192/200 = 106"),
        Expected(Travel.LADDER, (45, 0, 217), (-100, 0, 25), (41, 0, 216), (40, 0, 24), "10 + 100·192/200 = 106"),
        Expected(LEDGE, (150, 0, 217), (-100, 0, 25), (51.5, 80, 216), (-132.5, 80, 24), "70 + 50·192/800 = 82"),
    ],
    "lava": [
        Expected(WALK, (-200, 0, 25), (0, 0, 25), (-113, 0, 24), (-108, 0, 24), "1"),
        Expected(WATER, (0, 100, 0), (0, 0, 25), (56.5, 48, -10), (56.5, 42, 48), "400"),
    ],
    "leak": [
        Expected(BARRIER, (0, 0, 25), (249, 0, 57), (238.5, 0, 24), (248, 0, 56), "100 + 400 = 500"),
        Expected(LEDGE, (249, 0, 57), (0, 0, 25), (243.5, 0, 56), (178.8, 0, 24), "70 + 50·32/800 = 72"),
    ],
    "low_gravity": [
        Expected(
            JUMP, (-300, 0, 217), (300, 0, 217), (-189, 0, 216), (190, 0, 216), "300 + 240·375/320 + 300·2/12 = 631"
        ),
        Expected(
            JUMP, (300, 0, 217), (-300, 0, 217), (185, 0, 216), (-190, 0, 216), "300 + 240·375/320 + 300·2/9 = 648"
        ),
        Expected(Travel.JUMP_PAD, (-32, 0, 25), (-300, 0, 217), (-32, 0, 24), (-258, 0, 216), "250"),
        Expected(LEDGE, (-300, 0, 217), (100, 0, 25), (-187.5, 0, 216), (140.4, 0, 24), "70 + 50·192/300 = 102"),
        Expected(LEDGE, (300, 0, 217), (-132, 0, 25), (187.5, 0, 216), (-140.4, 0, 24), "70 + 50·192/300 = 102"),
    ],
    "ledge": [Expected(LEDGE, (-100, 0, 121), (100, 0, 25), (12.5, 0, 120), (132.6, 0, 24), "70 + 50·96/800 = 76")],
    "ledge_beam": [
        Expected(LEDGE, (-100, 0, 255), (220, 49, 25), (12.5, 49, 254), (220.4, 49, 24), "70 + 50·230/800 = 84"),
        Expected(WALK, (220, 49, 25), (220, -96, 25), (220, -15, 24), (220, -20, 24), "1"),
    ],
    "ledge_obstacle": [
        Expected(LEDGE, (-100, 0, 217), (47, 0, 121), (12.5, 0, 216), (30, 0, 120), "70 + 50·96/800 = 76"),
        Expected(LEDGE, (-100, 0, 217), (200, 0, 25), (12.5, 0, 216), (196.5, 0, 24), "70 + 50·192/800 = 82"),
        Expected(LEDGE, (47, 0, 121), (200, 0, 25), (76.5, 0, 120), (196.6, 0, 24), "70 + 50·96/800 = 76"),
    ],
    "ledge_slope": [
        Expected(LEDGE, (0, 0, 175), (100, 0, 25), (12.5, 0, 154.7), (100.5, 0, 24), "70 + 50·131/800 = 78"),
    ],
    "pendulum": [
        Expected(
            BOBBING, (0, -300, 25), (0, 300, 25), (0, -186, 24), (0, 186, 24), "100·3084/1000 + 100·3084/1000 = 617"
        ),
        Expected(
            BOBBING, (0, 300, 25), (0, -300, 25), (0, 186, 24), (0, -186, 24), "100·3084/1000 + 100·3084/1000 = 617"
        ),
    ],
    "pillars": [
        Expected(JUMP, (-304, 0, 185), (-112, 0, 185), (-241, 2, 184), (-170, 2, 184), "300 + 240·71/320 = 353"),
        Expected(JUMP, (-112, 0, 185), (96, 0, 185), (-49, 0, 184), (38, 0, 184), "300 + 240·87/320 = 365"),
        Expected(JUMP, (296, 0, 169), (96, 0, 185), (233, 0, 168), (154, 0, 184), "300 + 240·79/320 = 359"),
        Expected(LEDGE, (96, 0, 185), (296, 0, 169), (156.5, 0, 184), (236.5, 0, 168), "70 + 50·16/800 = 71"),
        Expected(LEDGE, (-304, 0, 185), (0, 120, 25), (-304, 60.5, 184), (-304, 177, 24), "70 + 50·160/800 = 80"),
    ],
    "pit": [Expected(LEDGE, (-100, 0, 25), (0, 0, -103), (-51.5, 0, 24), (49, 0, -104), "70 + 50·128/800 = 78")],
    "pit_corner": [Expected(WALK, (0, -200, 25), (200, 0, 25), (185, -129, 24), (185, -124, 24), "1")],
    "pool_deep": [
        Expected(WATER, (0, 0, 0), (200, 0, 25), (112, 56.5, -18), (118, 56.5, 48), "400"),
        Expected(LEDGE, (200, 0, 25), (0, 0, 0), (115.5, 0, 24), (40, 0, -23), "70 + 50·47/800 = 73"),
    ],
    "pool_steps": [
        Expected(WALK, (165, 0, 9), (200, 0, 25), (177, 0, 8), (184, 0, 24), "1"),
        Expected(WALK, (200, 0, 25), (165, 0, 9), (177, 0, 24), (174.5, 0, 8), "1"),
        Expected(SWIM, (-68, 0, -100), (-68, 0, -20), (-68, 0, -24), (-68, 0, -22.75), "1"),
        Expected(WATER, (-68, 0, -20), (-200, 0, 25), (-144, -40.5, -10), (-150, -40.5, 48), "400"),
        Expected(BARRIER, (141, 0, -7), (0, 120, 25), (141, 78.5, -8), (141, 94, 24), "100"),
        Expected(LEDGE, (-200, 0, 25), (-68, 0, -20), (-147.5, 0, 24), (-84.7, 0, -10), "70 + 50·34/800 = 72"),
    ],
    "jumppad_teleporter": [
        Expected(Travel.JUMP_PAD, (-392, 0, 25), (0, 0, 25), (-392, 0, 24), (-2.9, 0, 55.9), "250"),
        Expected(Travel.JUMP_PAD, (0, 0, 25), (164, 0, 300), (0, 0, 24), (145.1, 0, 363.4), "250"),
        Expected(Travel.TELEPORT, (164, 0, 300), (400, 0, 281), (164, 0, 320), (372, 0, 280), "50"),
        Expected(LEDGE, (400, 0, 281), (164, 0, 300), (227.5, 0, 280), (182.9, 0, 262), "70 + 50·18/800 = 71"),
    ],
    "rises": [
        Expected(BARRIER, (0, 0, 43), (128, 0, 61), (46.5, 0, 42), (106.5, 0, 60.5), "100"),
        Expected(WALK, (128, 0, 61), (0, 0, 43), (49, 0, 60.5), (46.5, 0, 42), "1"),
    ],
    "well": [
        Expected(LEDGE, (200, 0, 25), (0, 0, 0), (5.5, 0, 24), (-0.8, 0, -18), "70 + 50·42/800 + 300 = 373"),
        Expected(WATER, (0, 0, 0), (200, 0, 25), (2, 1.5, -18), (8, 1.5, 48), "400"),
    ],
    "push_water": [
        Expected(Travel.JUMP_PAD, (96, 0, -100), (300, 0, 121), (96, 0, -168), (190.7, 0, 120), "250"),
        Expected(SWIM, (0, 0, -100), (96, 0, -100), (49.75, 0, -104), (51, 0, -104), "1"),
        Expected(WATER, (0, 0, -100), (-200, 0, 25), (-112, -56.5, -18), (-118, -56.5, 48), "400"),
        Expected(LEDGE, (300, 0, 121), (0, 0, -100), (179.5, 0, 120), (27.6, 0, -23), "70 + 50·143/800 = 79"),
        Expected(LEDGE, (-200, 0, 25), (0, 0, -100), (-115.5, 0, 24), (-40.2, 0, -23), "70 + 50·47/800 = 73"),
    ],
    "push_sideways": [
        Expected(Travel.JUMP_PAD, (-240, 0, 25), (300, 0, 25), (-240, 0, 24), (303, 0, 24), "250"),
        Expected(WALK, (-400, 0, 25), (-240, 0, 25), (-303, 0, 24), (-298, 0, 24), "1"),
    ],
    "ramp_shallow": [
        Expected(WALK, (-200, 0, 25), (200, 0, 153), (0, 0, 95.5), (5, 0, 98), "1"),
        Expected(WALK, (200, 0, 153), (-200, 0, 25), (0, 0, 95.5), (-5, 0, 93), "1"),
    ],
    "ramp_steep": [
        Expected(LEDGE, (200, 0, 153), (-200, 0, 25), (115.5, 0, 152), (-28.5, 0, 24), "70 + 50·128/800 = 78"),
    ],
    "rocketjump": [
        Expected(ROCKET, (-96, 0, 25), (200, 0, 225), (-96, 0, 24), (129, 0, 224), "500"),
        Expected(LEDGE, (200, 0, 225), (-96, 0, 25), (115.5, 0, 224), (-76.5, 0, 24), "70 + 50·200/800 = 82"),
    ],
    "rotating": [
        Expected(BOBBING, (-300, 0, 25), (300, 0, 25), (-192, 0, 24), (192, 0, 24), "300"),
        Expected(BOBBING, (-300, 0, 25), (0, 300, 25), (-181.5, 20, 24), (-20, 181.5, 24), "267 + 225 = 492"),
        Expected(BOBBING, (0, 300, 25), (300, 0, 25), (20, 181.5, 24), (181.5, 20, 24), "267 + 225 = 492"),
        Expected(JUMP, (0, 300, 25), (300, 0, 25), (55, 177, 24), (181, 51, 24), "300 + 240·178/320 = 433"),
    ],
    "shaft": [
        Expected(SWIM, (100, 0, 28), (0, 0, 100), (0, 0, 48), (0, 0, 49.25), "1"),
        Expected(WATER, (0, 0, 100), (200, 0, 345), (8, 4.5, 310), (14, 4.5, 368), "400"),
        Expected(LEDGE, (-200, 0, 345), (200, 0, 345), (-11.5, 0, 344), (10.6, 0, 344), "70 + 50·0/800 = 70"),
        Expected(LEDGE, (200, 0, 345), (0, 0, 100), (11.5, 0, 344), (-6, 0, 310), "70 + 50·34/800 = 72"),
    ],
    "slanted": [
        Expected(
            JUMP, (-164, 164, 57), (0, 0, 73), (-83.8, 128, 56), (-20, 43, 72), "300 + 240·102/320 + 300·2/12 = 427"
        ),
        Expected(BARRIER, (-57, 152, 25), (-164, 164, 57), (-62.5, 152, 24), (-88.9, 152, 56), "100"),
        Expected(CROUCH, (-100, -200, 25), (-160, -95, 25), (-113, -95, 24), (-118, -95, 24), "1 + 300 = 301"),
    ],
    "stairs": [
        Expected(WALK, (-200, 0, 25), (200, 0, 153), (0, 0, 88), (5, 0, 88), "1"),
        Expected(WALK, (200, 0, 153), (-200, 0, 25), (0, 0, 88), (-5, 0, 88), "1"),
        Expected(ROCKET, (-200, 0, 25), (200, 0, 153), (-208, 0, 24), (16, 0, 152), "500"),
    ],
    "static": [
        Expected(WALK, (200, 0, 25), (0, -96, 25), (23, -96, 24), (18, -96, 24), "1"),
        Expected(WALK, (200, 0, 25), (21, 96, 25), (23, 96, 24), (21, 96, 24), "1 + 30 = 31"),
    ],
    "swim": [
        Expected(SWIM, (100, 0, -100), (0, 0, -140), (30.25, 0, -148), (29, 0, -148), "1"),
        Expected(SWIM, (0, 0, -140), (-100, 0, -100), (-31.75, 0, -148), (-33, 0, -148), "1"),
        Expected(WATER, (-100, 0, -100), (-200, 0, 25), (-144, -56.5, -10), (-150, -56.5, 48), "400"),
        Expected(LEDGE, (200, 0, 25), (100, 0, -100), (147.5, 0, 24), (84.7, 0, -10), "70 + 50·34/800 = 72"),
    ],
    "teleporter": [
        Expected(Travel.TELEPORT, (-281, 0, 25), (150, 0, 25), (-281, 0, 24), (156, 0, 24), "50"),
        Expected(WALK, (-100, 0, 25), (-281, 0, 25), (-257, 0, 24), (-262, 0, 24), "1"),
    ],
    "teleporter_sheet": [
        Expected(LEDGE, (-100, 0, 217), (98, 0, 160), (12.5, 0, 216), (81, 0, 176), "70 + 50·40/800 = 72"),
        Expected(Travel.TELEPORT, (98, 0, 160), (304, 0, 66), (98, 0, 160), (304, 0, 65), "50"),
        Expected(Travel.JUMP_PAD, (304, 0, 25), (400, 0, 25), (303, 0, 24), (496.8, 0, 24), "250"),
    ],
    "terrain_cliff": [
        Expected(
            LEDGE, (100, -32, 200), (-100, -32, 70), (-12.5, -32, 192), (-164.5, -32, 56.5), "70 + 50·136/800 = 78"
        ),
    ],
    "train": [
        Expected(
            BOBBING,
            (400, 0, 25),
            (-400, 0, 25),
            (328, 0, 24),
            (-328, 0, 24),
            "100·496/160 + 200 + 100·496/160 = 820",
        ),
        Expected(
            BOBBING,
            (-400, 0, 25),
            (400, 0, 25),
            (-328, 0, 24),
            (328, 0, 24),
            "100·496/160 + 200 + 100·496/160 = 820",
        ),
        Expected(LEDGE, (400, 0, 25), (100, 0, -231), (307.5, 0, 24), (91.5, 0, -232), "70 + 50·256/800 + 300 = 386"),
    ],
    "train_loop": [
        Expected(BOBBING, (-400, 0, 25), (0, 400, 25), (-264, 0, 24), (0, 328, 24), "620 + 200 = 820"),
        Expected(BOBBING, (-400, 0, 25), (400, 0, 25), (-264, 0, 24), (264, 0, 24), "620 + 200 + 200 + 200 = 1220"),
        Expected(BOBBING, (400, 0, 25), (-400, 0, 25), (264, 0, 24), (-264, 0, 24), "620 + 240 = 860"),
        Expected(BOBBING, (400, 0, 25), (0, 400, 25), (264, 0, 24), (0, 328, 24), "620 + 240 + 200 + 200 = 1260"),
    ],
    "wedge": [
        Expected(BARRIER, (0, 100, 25), (0, 0, 57), (0, 33.5, 24), (0, -12.7, 56), "100 + 400 = 500"),
        Expected(LEDGE, (0, 0, 57), (0, 100, 25), (0, 12.5, 56), (0, 77, 24), "70 + 50·32/800 = 72"),
    ],
}
"""Links of each sample, at least one of each travel type that it demonstrates."""


@dataclass(frozen=True)
class Linked:
    """A sample with its links."""

    areas: Areas
    links: Links
    movement: Movement

    def area(self, point: Point) -> int:
        """The area at a point."""
        return int(areas_at(self.movement.tree, point)[0])


@cache
def linked(name: str) -> Linked:
    """Compile a sample."""
    report = Report(name)
    understood = understand(str(SAMPLES / f"{name}.map"), report)
    settings = understood.settings
    areas = make_areas(understood, settings, report, allow_leak=True).areas
    return Linked(areas, link_areas(understood, areas, settings, report).links, Movement(areas, settings))


def readme_name(kind: Travel) -> str:
    """The README's name of a travel type."""
    return kind.name.lower().replace("_", " ")


def counted(text: str) -> dict[str, int]:
    """The counts by travel type in a text."""
    found = re.findall(r"([a-z ]+) (\d+)", text)
    assert text == (", ".join(f"{kind.strip()} {count}" for kind, count in found) or "none")
    return {kind.strip(): int(count) for kind, count in found}


def worked_out(time: str) -> int:
    """The result of a calculation, after checking it."""
    sum_, _, result = time.rpartition(" = ")
    if not sum_:
        return int(result)
    total = 0.0
    for part in sum_.split(" + "):
        factors, _, divisor = part.partition("/")
        total += np.prod([float(factor) for factor in factors.split("·")]) / float(divisor or 1)
    assert abs(total - int(result)) <= 0.5, time
    return int(result)


def rows_of_readme() -> dict[str, str]:
    """The README's column of links, by sample."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \| ([^|]+) \|", (SAMPLES / "README.md").read_text(), re.MULTILINE)
    return dict(rows)


@pytest.mark.parametrize("name", COUNTS)
def test_samples_have_the_expected_number_of_links_by_travel_type(name: str) -> None:
    found = Counter(readme_name(Travel(kind)) for kind in linked(name).links.kind.tolist())
    assert dict(found) == counted(COUNTS[name])


@pytest.mark.parametrize(("name", "link"), [(name, link) for name, links in EXPECTED.items() for link in links])
def test_samples_have_the_expected_link(name: str, link: Expected) -> None:
    room = linked(name)
    links, source, target = room.links, room.area(link.source), room.area(link.target)
    assert min(source, target) >= 0
    rows = np.flatnonzero((links.source == source) & (links.target == target) & (links.kind == int(link.kind)))
    assert len(rows) == 1
    assert links.start[rows[0]] == pytest.approx(link.start, abs=NEAR)
    assert links.end[rows[0]] == pytest.approx(link.end, abs=NEAR)
    assert int(links.time[rows[0]]) == worked_out(link.time)


def test_every_travel_type_of_a_sample_but_walks_and_rocket_jumps_has_an_expected_link() -> None:
    for name, text in COUNTS.items():
        kinds = {readme_name(link.kind) for link in EXPECTED.get(name, [])}
        assert kinds <= set(counted(text))
        assert set(counted(text)) - kinds <= {"walk", "rocket jump", *({"walk off ledge"} if name == "slanted" else ())}


def test_the_readme_lists_the_same_links_and_times() -> None:
    cells = rows_of_readme()
    assert set(cells) == set(COUNTS) == {path.stem for path in SAMPLES.glob("*.map")}
    for name, cell in cells.items():
        counts, _, shown = cell.partition("; ")
        assert counted(counts) == counted(COUNTS[name]), name
        times = {link.time for link in EXPECTED.get(name, [])}
        shown_times = set(re.findall(r"\d[\d ·/+]* = \d+", shown))
        assert shown_times <= times, name
        assert {time for time in times if "=" in time and time.startswith(("50 +", "300 +", "10 +"))} <= shown_times, (
            name
        )
