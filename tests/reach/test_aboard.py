"""Links into and out of the areas in which players ride."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.links import Travel
from aascompile.reach.aboard import ALONG, path
from aascompile.reach.rides import ride_links
from tests.reach.carrying import lies_in, room_of, rows, sample

LIFT = 50 + 92
"""Time on the door of door_lift: 184 units at 200 units/s, and half a second to get on."""


def test_links_lead_into_the_air_in_which_a_door_carries_players():
    room = sample("door_lift")
    links = room.links(ride_links)
    air, top = room.area(0, 0, 150), room.area(176, 0, 230)
    ground = {room.area(x, y, 25) for x, y in ((-200, 0), (0, 90), (0, -90))}
    assert len(ground | {air, top}) == 5
    up = {(area, top, LIFT) for area in ground | {air}}
    assert set(rows(links, Travel.ELEVATOR)) == up | {(area, air, LIFT) for area in ground}
    assert lies_in(room, links.target, links.end)
    into = links.target == air
    assert np.ptp(links.end[into, 2]) == 0.0
    assert links.end[into, 2][0] == pytest.approx(192 + 24, abs=ALONG), "as far up as the door carries anybody"


@pytest.mark.corpus
def test_no_area_of_riders_is_without_a_link_into_it(corpus):
    room = room_of(corpus / "kaos2.bsp")
    links = room.links(ride_links)
    grounded = room.areas.area_flags[links.source] & 1 != 0
    aboard = set(links.source[~grounded].tolist())
    assert len(aboard) == 4, "one shaft for each of the four lifts"
    assert aboard <= set(links.target.tolist())


def test_a_path_has_both_ends_and_no_gap():
    points = path(np.zeros(3), np.array((0.0, 30.0, 40.0)))
    assert np.array_equal(points[[0, -1]], [(0, 0, 0), (0, 30, 40)])
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() <= ALONG
