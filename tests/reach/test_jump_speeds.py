"""Needed speeds and tiers of jumps, against a flight that is added up in small steps."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.links import FAST_JUMPS, Tier, Travel, tier_speeds, tiers_of
from aascompile.player.flight import needed_speed
from aascompile.settings import QUAKE3
from tests.conftest import ROOT
from tests.reach.test_sample_links import linked

PHYSICS = QUAKE3.physics


def length_of_jump(speed: float, rise: float) -> float:
    """Units that a jump leads, by adding up steps of a ten-thousandth of a second."""
    dt, x, z, up = 1e-4, 0.0, 0.0, 270.0
    while up > 0.0 or z > rise:
        speed = max(speed, min(speed + 320.0 * dt, 320.0))
        up -= 800.0 * dt
        x, z = x + speed * dt, z + up * dt
    return x


@pytest.mark.parametrize("rise", [-200.0, -18.0, 0.0, 40.0])
@pytest.mark.parametrize("speed", [0.0, 60.0, 150.0, 250.0, 300.0, 330.0, 430.0, 500.0])
def test_the_needed_speed_is_that_with_which_a_jump_leads_just_across(speed, rise):
    gap = np.array([length_of_jump(speed, rise)])
    assert needed_speed(gap, np.array([rise]), PHYSICS)[0] == pytest.approx(speed, abs=1.0)


def test_what_needs_no_speed_and_what_no_speed_reaches():
    gap, rise = np.array([0.0, 70.0, 10.0]), np.array([0.0, 0.0, 46.0])
    assert needed_speed(gap, rise, PHYSICS).tolist() == [0.0, 0.0, np.inf]


def test_tiers_by_speed():
    speeds = np.array([0.0, 1.0, 320.0, 330.0, 430.0, 440.0, 500.0])
    found = [Tier(tier).name for tier in tiers_of(speeds, 320.0)]
    assert found == ["STANDING", "RUNNING", "RUNNING", "CIRCLE", "CIRCLE", "CIRCLE", "STRAFE"]
    assert tier_speeds(320.0).tolist() == [0.0, 320.0, 440.0, np.inf]


@pytest.mark.parametrize(("name", "speeds"), [("gap", [130 / 0.675 - 160 * 0.675] * 2), ("low_gravity", [0.0, 0.0])])
def test_jumps_of_samples(name, speeds):
    links = linked(name).links
    jumps = links.kind == Travel.JUMP
    assert links.needed_speed[jumps] == pytest.approx(speeds, abs=0.1)
    assert (links.needed_speed[~jumps] == -1).all()
    assert (links.tier[~jumps] == -1).all()


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "samples").glob("*.bsp")))
def test_nothing_faster_than_running_is_found_by_default(name):
    links = linked(name).links
    assert not np.isin(links.kind, FAST_JUMPS).any()
    assert (links.tier <= Tier.RUNNING).all()
    assert ((links.tier >= 0) == (links.kind == Travel.JUMP)).all()
