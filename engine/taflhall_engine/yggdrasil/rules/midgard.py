"""YG-7.2 Midgard: the Valkyries move along the chain of islands and search for souls."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import move_valkyries, search_bag
from taflhall_engine.yggdrasil.ids import HEIMDALL, ISLAND_COUNT, MIDGARD, NONE, WHIRLPOOL
from taflhall_engine.yggdrasil.rules.base import Action, has_power
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

NOTHING_ASKED: Final = Refusal("YG-7.2", "no_effect")
NO_ISLAND: Final = Refusal("YG-7.2a", "invalid_target")
NOT_ADJACENT: Final = Refusal("YG-7.2a", "island_not_adjacent")
INTO_WHIRLPOOL: Final = Refusal("YG-9.3", "whirlpool")
NO_SEARCH: Final = Refusal("YG-7.2b", "search_forbidden")
BAG_EMPTY: Final = Refusal("YG-7.2b", "bag_empty")


def refuse_move(s: YggdrasilTable, island: int) -> Refusal | None:
    """YG-7.2a Return why the Valkyries may not move to *island*."""
    if island >= ISLAND_COUNT:
        return NO_ISLAND
    if island not in s.components.neighbours[s.valkyries]:
        return NOT_ADJACENT
    if island == s.sunken and s.hindrance & WHIRLPOOL:
        return INTO_WHIRLPOOL
    return None


def refuse_search(s: YggdrasilTable, island: int) -> Refusal | None:
    """YG-7.2b Return why the Valkyries may not search on *island*."""
    if island == s.sunken or island not in s.components.coloured:
        return NO_SEARCH
    if not has_tokens(s, island):
        return BAG_EMPTY
    return None


def has_tokens(s: YggdrasilTable, island: int) -> bool:
    """Return whether the bag of *island* holds anything."""
    return s.bag_vikings[island] + s.bag_giants[island] > 0


@final
class Midgard(Action):
    """YG-7.2 Move the Valkyries to *move_to* (unless none), then *search* (if yes)."""

    RULE = "YG-7.2"

    def __init__(self, move_to: int, search: bool) -> None:
        self.move_to: Final = move_to
        self.search: Final = search

    def malformed(self) -> bool:
        return self.move_to < NONE

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, MIDGARD)
        if reason is not None:
            return reason
        if self.move_to < 0 and not self.search:
            return NOTHING_ASKED
        if self.move_to >= 0:
            reason = refuse_move(s, self.move_to)
            if reason is not None:
                return reason
        if self.search:
            return refuse_search(s, self.move_to if self.move_to >= 0 else s.valkyries)
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, MIDGARD)
        if self.move_to >= 0:
            move_valkyries(s, "YG-7.2a", self.move_to)
        if self.search:
            search_bag(s, "YG-7.2b", seat, s.valkyries, search_tokens(s, seat))


def search_tokens(s: YggdrasilTable, seat: int) -> int:
    """YG-7.2b, YG-10.4 A search draws three tokens, Heimdall's four."""
    return (
        s.components.heimdall_tokens if has_power(s, seat, HEIMDALL) else s.components.search_tokens
    )


def _midgard() -> list[Midgard]:
    found: list[Midgard] = []
    for move_to in range(NONE, ISLAND_COUNT):
        found.append(Midgard(move_to, False))
        found.append(Midgard(move_to, True))
    return found


MIDGARDS: Final = _midgard()
"""``MIDGARDS[(move_to + 1) * 2 + search]``."""
