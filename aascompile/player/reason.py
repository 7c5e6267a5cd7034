"""Reasons why a candidate link is rejected, as given by probes and replays."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """Reasons. follow_kernel, rims_kernel, probe_kernel and nearest_kernel give some, with the same numbers."""

    ARRIVES = 0
    """The link exists, or the attempt arrives."""
    START_BLOCKED = 1
    """No player fits at its start."""
    HARMED = 2
    """It leads through lava, slime or a hurt trigger."""
    HELD_UP = 3
    """Something blocks it."""
    LATE = 4
    """The player never comes to stand in the target."""
    NO_START = 5
    """The point before the rim is not in the source area."""
    TOO_HIGH = 6
    """By so many units."""
    TOO_LOW = 7
    """For a barrier: it is no higher than a step."""
    CROUCHED = 8
    """A crouching player cannot jump."""
    NO_GROUND = 9
    """There is no ground, or it is too steep."""
    NO_GAP = 10
    """Ground continues, or a wall stands, right behind the rim."""
    WALL = 11
    """A wall without a top."""
    TOUCHING = 12
    """The grounds are less than a unit apart."""
    TOO_FAR = 13
    """By so many units."""
    TOO_DEEP = 14
    """By so many units."""
    TAKEN = 15
    """A jump pad or teleporter takes the player away first."""
    APART = 20
    """The grounds do not touch: so many units lie between them."""
    ELSEWHERE = 21
    """Links of this travel type lead to other areas."""
    LINKED = 22
    """Another link joins the areas, so it was not tried."""
    SLOWER = 23
    """It takes so many hundredths of a second; the detour on foot is quicker."""
    NOT_LOWER = 24
    """For a fall: the target is not lower by more than a step."""
    NO_LIQUID = 25
    """One of the areas is dry, or has no liquid at this bank."""
    NO_FACE = 26
    """The areas do not touch."""
    NO_LADDER = 27
    """Neither area has a ladder."""
    NO_TELEPORTER = 28
    """The source area is not in a teleporter."""
    NO_PAD = 29
    """The source area is not on a jump pad."""
    NO_PLATFORM = 30
    """No elevator, train or bobbing platform stops here."""
    NO_ITEM = 31
    """The target has no item."""
    OFF = 32
    """The settings disable it."""
    SAME_FLOOR = 33
    """Another area of the same level floor is linked already; one is enough."""
    NEARER = 34
    """Nearer areas lead there too, or were tried before."""
    NEEDLESS = 35
    """It takes skill, and another route leads there."""
    NO_ROOM = 37
    """There is no floor for a run-up of so many units."""
    SLOW = 38
    """No run-up gives the speed: at most so many units/s."""
    UPSTREAM = 39
    """The current carries the player back."""
    SHALLOW = 36
    """The liquid between the areas is too shallow to swim in, or the player would have to duck."""
