"""Meaning of each brush: its contents, as modified by the class of the entity that owns it.

``RULES`` is the complete table of classes. Geometry counts if its entity exists in any game type (free-for-all, team,
single player), because areas are compiled once for all of them. ``entity_facts`` computes what an entity does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model import by_hand
from aascompile.model.contents import BLOCKS_PLAYER, CURRENT_BITS, TAKES_AWAY, WET, Contents, Kind, SurfaceFlag
from aascompile.model.entity_classes import exists
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.filling import MOST_MODEL
from aascompile.model.mapdata import Bits, Entity, Float, Int, MapData
from aascompile.model.meaning import Meaning
from aascompile.records import dataclass

CONTENTS_MEAN: Final = (
    (BLOCKS_PLAYER, Kind.SOLID),
    (Contents.WATER, Kind.WATER),
    (Contents.LAVA, Kind.LAVA),
    (Contents.SLIME, Kind.SLIME),
    (Contents.AREAPORTAL | Contents.CLUSTERPORTAL, Kind.CLUSTERPORTAL),
    (Contents.DONOTENTER, Kind.DONOTENTER),
    (Contents.DONOTENTER_LARGE, Kind.DONOTENTER_LARGE),
    (Contents.NOTTEAM1, Kind.NOTTEAM1),
    (Contents.NOTTEAM2, Kind.NOTTEAM2),
)
"""Meaning of each contents bit of a brush that does not move. Other bits have no meaning."""

IDLE_CONTENTS: Final = (
    (Contents.ORIGIN, "origin brush: marks where its entity turns"),
    (Contents.FOG, "fog"),
    (Contents.TRIGGER, "trigger contents without a trigger entity"),
    (Contents.MONSTERCLIP, "monster clip: blocks no player"),
    (Contents.NODROP, "nodrop: only items vanish in it"),
)
"""Reasons for contents bits without meaning. The first bit that a brush has counts."""

NO_BLOCK: Final = "not solid: blocks no player"
UNUSED_MODEL: Final = "its model is used by no entity"
ABSENT: Final = "its entity is in no game type"
TRIGGER_CURVE: Final = "curve of a trigger: only brushes trigger"
TOO_MANY: Final = f"a door or trigger whose model is beyond {MOST_MODEL:,}"
DOOR_PART: Final = "part of a door that blocks no player"


@dataclass(frozen=True, slots=True)
class Rule:
    """What the brushes of an entity class mean, and why."""

    become: Kind | None
    """None: the meaning of their contents. MOVER: only where they block a player. NOTHING: no geometry."""
    why: str
    unless: Callable[[Entity], str] | None = None
    """Returns the reason if this entity gives no geometry after all, otherwise ""."""


def _is_harmless(entity: Entity) -> str:
    if entity.flags() & 1:
        return "trigger_hurt with START_OFF: harmless until something fires it"
    if entity.number("dmg", 5.0) <= 0.0:
        return "trigger_hurt without damage"
    return ""


def _starts_closed(entity: Entity) -> str:
    return "" if entity.flags() & 1 else "func_door_rotating that starts closed: no bot opens it, so it does not block"


RULES: Final = {
    "worldspawn": Rule(None, "stands still"),
    "func_group": Rule(None, "only groups brushes in the editor"),
    "func_static": Rule(None, "stands still"),
    "func_wall": Rule(None, "stands still"),
    "func_breakable": Rule(None, "stands until it is broken, which no bot plans"),
    "func_explosive": Rule(None, "stands until it is broken, which no bot plans"),
    "func_door": Rule(Kind.MOVER, "a bot opens it; it counts where it is drawn, START_OPEN or not"),
    "func_door_rotating": Rule(Kind.MOVER, "stands open", _starts_closed),
    "trigger_hurt": Rule(Kind.HURT, "hurts players in it", _is_harmless),
    "trigger_push": Rule(Kind.JUMPPAD, "throws players who touch it"),
    "trigger_teleport": Rule(Kind.TELEPORTER, "moves players who touch it"),
    "trigger_multiple": Rule(Kind.TELEPORTER | Kind.JUMPPAD, "as what it fires: target_teleporter or target_push"),
    "func_plat": Rule(Kind.NOTHING, "an elevator, not ground; its links come from the entity"),
    "func_bobbing": Rule(Kind.NOTHING, "always moves; its links come from the entity"),
    "func_train": Rule(Kind.NOTHING, "always moves; its links come from the entity"),
    "func_pendulum": Rule(Kind.NOTHING, "always moves"),
    "func_rotating": Rule(Kind.NOTHING, "always moves"),
    "func_button": Rule(Kind.NOTHING, "moves in when it is pressed"),
    "func_illusionary": Rule(Kind.NOTHING, "is only drawn"),
    by_hand.BLOCK: Rule(Kind.DONOTENTER, "bots keep out of it"),
    by_hand.COST: Rule(Kind.COST, "walking in it costs more or less"),
    by_hand.PORTAL: Rule(Kind.CLUSTERPORTAL, "the mapper wants a cluster portal there"),
}
"""Rule of each class. Triggers that throw or teleport count only if ``entity_facts`` found their destination."""


def classify(map: MapData, facts: EntityFacts) -> Meaning:
    """Meaning of every brush of a map."""
    return _Judge(map, facts).brushes()


def classify_patches(map: MapData, facts: EntityFacts) -> Meaning:
    """Meaning of every patch of a map. Patches can only block (SOLID, LADDER, or MOVER as part of a door)."""
    return _Judge(map, facts).patches()


def contents_kind(contents: Bits) -> Bits:
    """Kind bits of the contents of brushes that do not move."""
    kind = np.zeros(len(contents), np.uint32)
    for bits, means in CONTENTS_MEAN:
        kind[(contents & np.uint32(bits)) != 0] |= np.uint32(means)
    wet = (kind & np.uint32(WET)) != 0
    for _, bit, means in CURRENT_BITS:
        kind[wet & ((contents & np.uint32(bit)) != 0)] |= np.uint32(means)
    kind[(contents & np.uint32(Contents.ORIGIN)) != 0] = 0
    return kind


class _Judge:
    """Applies the rules to a map. Reasons are numbered by first use."""

    def __init__(self, map: MapData, facts: EntityFacts) -> None:
        self.map = map
        self.aimed: dict[int, Kind] = {push.row: Kind.JUMPPAD for push in facts.pushes}
        self.aimed |= {teleport.row: Kind.TELEPORTER for teleport in facts.teleports}
        self.idle = {idle.row: idle.reason for idle in facts.idle}
        self.reasons: dict[str, int] = {}
        self.unknown: set[str] = set()

    def brushes(self) -> Meaning:
        """Meaning of the brushes, which can block, fill space, mark portals, hint and trigger."""
        brushes = self.map.brushes
        kind = contents_kind(brushes.contents)
        kind[self._has_side(SurfaceFlag.LADDER) & ((kind & Kind.SOLID) != 0)] |= np.uint32(Kind.LADDER)
        origin = (brushes.contents & np.uint32(Contents.ORIGIN)) != 0
        kind[self._has_side(SurfaceFlag.HINT) & (kind == 0) & ~origin] = Kind.HINT
        triggers = (brushes.contents != 0) & ~origin
        return self._judge(
            kind, brushes.contents, brushes.entity, brushes.model, triggers=triggers, no_trigger=NO_BLOCK
        )

    def patches(self) -> Meaning:
        """Meaning of the patches. A patch has no inside, so it can only block."""
        patches = self.map.patches
        kind = contents_kind(patches.contents) & np.uint32(Kind.SOLID)
        ladder = (patches.flags & np.uint32(SurfaceFlag.LADDER)) != 0
        kind[ladder & (kind != 0)] |= np.uint32(Kind.LADDER)
        triggers = np.zeros(len(patches), np.bool_)
        return self._judge(
            kind, patches.contents, patches.entity, patches.model, triggers=triggers, no_trigger=TRIGGER_CURVE
        )

    def _has_side(self, flag: SurfaceFlag) -> NDArray[np.bool_]:
        """(n,) whether each brush has a side with a surface flag."""
        brushes = self.map.brushes
        owner = np.repeat(np.arange(len(brushes)), np.diff(brushes.side_start))
        has = np.zeros(len(brushes), np.bool_)
        has[owner[(brushes.side_flags & np.uint32(flag)) != 0]] = True
        return has

    def _judge(
        self, still: Bits, contents: Bits, entity: Int, model: Int, *, triggers: NDArray[np.bool_], no_trigger: str
    ) -> Meaning:
        """Apply the rules of the entities to the meaning that contents alone would have."""
        n = len(still)
        kind = still.copy()
        owner_model = np.full(n, -1, np.int32)
        offset = np.zeros((n, 3))
        factor = np.ones(n)
        reason = self._contents_reasons(still, contents)
        order = np.argsort(entity, kind="stable")
        owners, first = np.unique(entity[order], return_index=True)
        ends = np.append(first, n)[1:]
        for owner, start, end in zip(owners.tolist(), first, ends, strict=True):
            rows = order[start:end]
            if owner < 0:
                self._drop(kind, reason, rows, UNUSED_MODEL)
                continue
            if owner:
                offset[rows] = self.map.entities[owner].offset
            become, why = self._entity(owner)
            if become and become & (Kind.MOVER | TAKES_AWAY) and model[rows].max() > MOST_MODEL:
                become, why = Kind.NOTHING, TOO_MANY
            if become is None:
                continue
            if not become:
                self._drop(kind, reason, rows, why)
            elif become & Kind.MOVER:
                blocks = (still[rows] & np.uint32(Kind.SOLID)) != 0
                kind[rows[blocks]] = become
                owner_model[rows[blocks]] = model[rows[blocks]]
                reason[rows[blocks]] = -1
                self._drop(kind, reason, rows[~blocks], DOOR_PART)
            else:
                counts = triggers[rows]
                kind[rows[counts]] = become
                owner_model[rows[counts]] = model[rows[counts]] if become & TAKES_AWAY else -1
                if become & Kind.COST:
                    factor[rows[counts]] = by_hand.factor_of(self.map.entities[owner])
                reason[rows[counts]] = -1
                self._drop(kind, reason, rows[~counts], no_trigger)
        return self._record(kind, owner_model, entity, offset, factor, reason)

    def _record(self, kind: Bits, model: Int, entity: Int, offset: Float, factor: Float, reason: Int) -> Meaning:
        """The record, with only the reasons in use, numbered by first use."""
        used, first = np.unique(reason[reason >= 0], return_index=True)
        used = used[np.argsort(first)]
        renumber = np.full(len(self.reasons) + 1, -1, np.int32)
        renumber[used] = np.arange(len(used))
        texts = list(self.reasons)
        reason = np.where(reason >= 0, renumber[reason], -1).astype(np.int32)
        reasons = tuple(texts[i] for i in used.tolist())
        return Meaning(kind, model, entity.copy(), offset, factor, reason, reasons, tuple(sorted(self.unknown)))

    def _contents_reasons(self, kind: Bits, contents: Bits) -> Int:
        """Reasons for rows whose contents have no meaning."""
        reason = np.full(len(kind), -1, np.int32)
        nothing = kind == 0
        reason[nothing] = self._number(NO_BLOCK)
        for bits, why in reversed(IDLE_CONTENTS):
            reason[nothing & ((contents & np.uint32(bits)) != 0)] = self._number(why)
        return reason

    def _entity(self, row: int) -> tuple[Kind | None, str]:
        """Kind of an entity's brushes, and the reason if they have no meaning."""
        entity = self.map.entities[row]
        name = entity.classname
        rule = RULES["worldspawn"] if row == 0 else RULES.get(entity.lower_class)
        if rule is None:
            shown = repr(name[:64])
            self.unknown.add(shown[1:-1])
            return Kind.NOTHING, f"gives no geometry: unknown class {shown}"
        if row and not exists(entity):
            return Kind.NOTHING, ABSENT
        refused = rule.unless(entity) if rule.unless else ""
        if refused:
            return Kind.NOTHING, refused
        if rule.become and rule.become & TAKES_AWAY:
            if row in self.aimed:
                return self.aimed[row] | self._teams(entity), ""
            return Kind.NOTHING, f"{name}: {self.idle.get(row, 'it has no brush model')}"
        return rule.become, f"{name}: {rule.why}"

    @staticmethod
    def _teams(entity: Entity) -> Kind:
        """Kind bits that close a trigger of one team to the other team."""
        if entity.lower_class != "trigger_multiple":
            return Kind.NOTHING
        red_only, blue_only = entity.flags() & 1, entity.flags() & 2
        return (Kind.NOTTEAM2 if red_only else Kind.NOTHING) | (Kind.NOTTEAM1 if blue_only else Kind.NOTHING)

    def _drop(self, kind: Bits, reason: Int, rows: NDArray[np.int64], why: str) -> None:
        """Set these rows to no meaning, with a reason."""
        if len(rows):
            kind[rows] = 0
            reason[rows] = self._number(why)

    def _number(self, why: str) -> int:
        return self.reasons.setdefault(why, len(self.reasons))
