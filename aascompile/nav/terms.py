"""What a caller allows a route to use, and what it costs: travel types, contents of areas, blocked areas, factors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError
from aascompile.model.areas import AreaFlag, unit_costs
from aascompile.model.compiled import Compiled, stored_number, stored_word
from aascompile.model.contents import Kind
from aascompile.model.links import FAST_JUMPS, Links, Tier, Travel, are_of
from aascompile.model.mapdata import Float
from aascompile.nav.tables import Network, Terms, on_grid, onward_costs
from aascompile.records import dataclass
from aascompile.settings import TIERS

TravelName = Travel | str
"""A travel type, or its name: ``Travel.ROCKET_JUMP`` or "rocket_jump"."""

TierName = Tier | str
"""A tier of jumps, or its name: ``Tier.CIRCLE`` or "circle"."""

Cost = Mapping[TravelName | int, float] | ArrayLike
"""Factors: by travel type, by area (a plain number), or an array (areas,)."""

CONTENTS: Final[Mapping[str, Kind]] = {
    "water": Kind.WATER,
    "lava": Kind.LAVA,
    "slime": Kind.SLIME,
    "hurt": Kind.HURT,
    "mover": Kind.MOVER,
    "jumppad": Kind.JUMPPAD,
    "teleporter": Kind.TELEPORTER,
}
"""Contents of areas that a route can avoid, by name."""

TEAMS: Final[Mapping[int, Kind]] = {1: Kind.NOTTEAM1, 2: Kind.NOTTEAM2}
"""Team → contents of the areas that are closed to it."""

MOST_FACTOR: Final = 1000.0
"""Limit on the factors of costs."""


class Limits(TypedDict, total=False):
    """What a route may use. All methods of Navigation that find routes take these keywords.

    A route may begin and end in areas that it may not pass.
    """

    avoid: Iterable[TravelName]
    """Travel types that are not used (``Travel.ROCKET_JUMP`` or "rocket_jump"), and contents of areas that are not
    passed: "water", "lava", "slime", "hurt", "mover", "jumppad", "teleporter"."""
    travel: Iterable[TravelName] | None
    """The only travel types that are used."""
    team: int | None
    """1 or 2; areas that are closed to that team are not passed."""
    blocked: Iterable[int]
    """Areas that are not passed, in addition to those of ``Navigation.block``."""
    jump_tier: TierName | None
    """Fastest jumps that are used: "standing", "running", "circle" or "strafe". Left out: what ``reach.player_tier`` in
    the file's settings says, running by default; or all, if ``travel`` names a double, ramp or strafe jump."""
    cost: Cost | None
    """Factors by which times are multiplied to choose a route: a mapping from travel types or area numbers, or an array
    (areas,). A factor of an area counts for walks in it and for links into it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Everything that the costs of a route depend on, as a key of tables."""

    banned: int = 0
    """Bits 1 << Travel of travel types that are not used."""
    contents: int = 0
    """Kind bits of areas that are not passed."""
    jump_tier: int = -1
    """Fastest Tier of jumps that are used; −1: that of the file's settings."""
    kinds: tuple[tuple[int, float], ...] = ()
    """Travel types with their factors, sorted."""
    areas: bytes = b""
    """Factors of all areas as float64; empty if all are 1."""
    blocked: frozenset[int] = frozenset()
    """Areas that are not passed."""

    @property
    def weighted(self) -> bool:
        """Whether costs are not simply times."""
        return bool(self.kinds or self.areas)


PLAIN: Final = Wanted()
"""All links at their own times."""


def travel_of(name: TravelName) -> Travel:
    """A travel type by its name; RouteError if there is no such type."""
    if isinstance(name, Travel):
        return name
    found = Travel.named(name)
    if found is None:
        raise RouteError(f"there is no travel type '{name}': they are {', '.join(_names())}")
    return found


def tier_of(name: TierName) -> Tier:
    """A tier of jumps by its name; RouteError if there is no such tier."""
    if isinstance(name, Tier):
        return name
    try:
        return Tier[name.upper()]
    except KeyError:
        raise RouteError(
            f"there is no tier of jumps '{name}': they are {', '.join(tier.name.lower() for tier in Tier)}"
        ) from None


def wanted_of(
    areas: int,
    avoid: Iterable[TravelName] = (),
    travel: Iterable[TravelName] | None = None,
    team: int | None = None,
    blocked: Iterable[int] = (),
    jump_tier: TierName | None = None,
    cost: Cost | None = None,
) -> Wanted:
    """The key for ``Limits``; RouteError if something in them does not exist."""
    banned = contents = 0
    tier = -1 if jump_tier is None else int(tier_of(jump_tier))
    for name in [avoid] if isinstance(avoid, str | Travel) else avoid:
        kind = CONTENTS.get(name.lower()) if isinstance(name, str) else None
        contents |= int(kind or 0)
        banned |= 0 if kind is not None else 1 << _avoidable(name)
    if travel is not None:
        used = {travel_of(name) for name in ([travel] if isinstance(travel, str | Travel) else travel)}
        banned |= sum(1 << kind for kind in Travel if kind not in used)
        tier = int(max(Tier)) if jump_tier is None and used & set(FAST_JUMPS) else tier
    if team is not None:
        if team not in TEAMS:
            raise RouteError(f"a team is 1 or 2, not {team!r}")
        contents |= int(TEAMS[team])
    kinds, factors = _factors(areas, cost)
    return Wanted(banned, contents, tier, kinds, factors, checked_areas(areas, blocked))


def checked_areas(areas: int, numbers: Iterable[int]) -> frozenset[int]:
    """A set of area numbers; RouteError if one does not exist."""
    found = frozenset(int(number) for number in numbers)
    wrong = next((number for number in found if not 0 <= number < areas), None)
    if wrong is not None:
        raise RouteError(f"there is no area {wrong}: they are numbered 0 to {areas - 1}")
    return found


def checked_numbers(areas: int, numbers: ArrayLike) -> NDArray[Any]:
    """An array of area numbers; RouteError if one does not exist."""
    found = np.asarray(numbers)
    if not found.size:
        return found.astype(np.int32)
    if found.dtype.kind not in "iu":
        raise RouteError(f"areas are whole numbers, not {found.dtype}")
    if found.min() < 0 or found.max() >= areas:
        raise RouteError(f"areas are numbered 0 to {areas - 1}; some of these are not")
    return found


def terms_for(compiled: Compiled, links: Links, network: Network, wanted: Wanted, plain: Terms | None) -> Terms:
    """The costs and limits of every link and area. What does not differ from the ``plain`` terms is shared."""
    areas = compiled.areas
    factor = areas.area_cost * (np.frombuffer(wanted.areas) if wanted.areas else 1.0)
    kind_factor = np.ones(max(Travel) + 1)
    for kind, value in wanted.kinds:
        kind_factor[kind] = value
    barred = np.uint32(Kind.DONOTENTER | wanted.contents)
    closed = (areas.area_flags & AreaFlag.DISABLED != 0) | (areas.area_contents & barred != 0)
    closed[sorted(wanted.blocked)] = True
    known = np.clip(links.kind, 0, max(Travel))
    same = plain if not wanted.weighted else None
    time = same.time if same else on_grid(links.time * kind_factor[known] * factor[links.target])
    unit = plain.unit if plain else cost_a_unit(compiled)
    fastest = wanted.jump_tier
    if fastest < 0:
        fastest = tier_of(stored_word(compiled, "reach", "player_tier", TIERS))
    allowed = (wanted.banned >> known.astype(np.int64) & 1 == 0) & (links.tier <= fastest)
    if wanted.jump_tier < 0 and fastest == Tier.RUNNING:
        allowed &= ~are_of(links.kind, FAST_JUMPS)
    return Terms(
        time=time,
        onward=same.onward if same else onward_costs(network, time, unit, factor),
        unit=unit,
        factor=same.factor if same else np.array(factor),
        closed=closed.astype(np.uint8),
        allowed=allowed.astype(np.uint8),
    )


def cost_a_unit(compiled: Compiled) -> Float:
    """(areas,) 1/100 s for a unit of distance: swimming, crouched where there is no room to stand, or walking."""
    numbers = (stored_number(compiled, "costs", name) for name in ("walk", "crouch", "swim"))
    return unit_costs(compiled.areas, int(compiled.boxes.presence[0]), *numbers)


def closed_areas(terms: Terms) -> NDArray[np.bool_]:
    """(areas,) those that routes may begin and end in but not pass."""
    closed: NDArray[np.bool_] = terms.closed != 0
    return closed


def _names() -> list[str]:
    return [kind.name.lower() for kind in Travel]


def _avoidable(name: TravelName) -> Travel:
    try:
        return travel_of(name)
    except RouteError:
        every = ", ".join([*_names(), *CONTENTS])
        raise RouteError(f"'{name}' cannot be avoided: choose among {every}") from None


def _factors(areas: int, cost: Cost | None) -> tuple[tuple[tuple[int, float], ...], bytes]:
    """Factors by travel type and by area."""
    if cost is None:
        return (), b""
    kinds: dict[int, float] = {}
    factor = np.ones(areas)
    if isinstance(cost, Mapping):
        for key, value in cost.items():
            if isinstance(key, str | Travel):
                kinds[int(travel_of(key))] = _factor(value)
            else:
                factor[list(checked_areas(areas, [key]))] = _factor(value)
    else:
        factor = np.array(cost, np.float64)
        if factor.shape != (areas,):
            raise RouteError(f"costs of areas are an array of shape ({areas},), not {factor.shape}")
        for value in (factor.min(initial=1.0), factor.max(initial=1.0)):
            _factor(float(value))
    return tuple(sorted(kinds.items())), factor.tobytes() if (factor != 1.0).any() else b""


def _factor(value: float) -> float:
    if not 0.0 < value <= MOST_FACTOR:
        raise RouteError(f"a factor of costs is greater than 0 and at most {MOST_FACTOR:g}, not {value}")
    return float(value)
