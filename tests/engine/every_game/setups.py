"""For each game: the setups it is tried with, and what the suite has to know about it.

A registered game needs an entry here; the suite fails clearly without one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Command, Table
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game
from taflhall_testing import Trial
from tests.engine.toy import QUAY


@dataclass(frozen=True, slots=True)
class SuiteTrial(Trial):
    """How a game is tried, and what else the suite has to know of it."""

    reveals: frozenset[str] = frozenset()
    """The names of what the game says it reveals: events and open commands by which the rules
    make known what was hidden before; nothing else that a viewer sees may depend on what is hidden
    from it. Empty: all is open."""
    split: frozenset[str] = frozenset()
    """Commands that are one step of an answer given in several. The first steps are hidden from
    the others; how the answer continues, or that it is complete, depends on them."""
    shows: frozenset[str] = frozenset()
    """Those of *reveals* that show less than the view shows afterwards."""
    hides: float = 0.25
    """At least this share of the positions hides something, if *reveals* is not empty."""


def quay(rng: Chance) -> dict[str, Any]:
    return {"seats": 2 + rng.below(3), "rounds": 1 + rng.below(12)}


def yggdrasil(rng: Chance) -> dict[str, Any]:
    return {
        "seats": 1 + rng.below(6),
        "furious": rng.below(7),
        "ragnarok": rng.below(5),
        "spread_evenly": rng.below(2) == 1,
        "bag_inspection": rng.below(2),
        "thor_without_die": rng.below(2) == 1,
    }


def ice_garden(rng: Chance) -> dict[str, Any]:
    seats = 1 + rng.below(4)
    edition = 1 + rng.below(2)
    if seats == 1:
        level = 1 + rng.below(4)
        tiles = -1 if level == 1 or rng.below(2) else 2
        return {"seats": 1, "edition": edition, "solo_level": level, "vuko_tiles": tiles}
    return {
        "seats": seats,
        "edition": edition,
        "advanced_order_tokens": rng.below(2) == 1,
        "vuko_tiles": rng.below(3),
    }


def champions(rng: Chance) -> dict[str, Any]:
    seats = 2 + rng.below(3)
    start = rng.below(seats + 1)
    return {
        "seats": seats,
        "start_seat": start if start < seats else None,
        "near_shores": rng.below(2),
        "leftmost_shore": rng.below(2),
        "hunting_workers": rng.below(2),
        "destiny_ties": rng.below(2),
    }


TRIALS: dict[str, Callable[..., SuiteTrial]] = {
    "quay": partial(
        SuiteTrial,
        usual=[{"seats": seats} for seats in (2, 3, 4)],
        matches=25,
        other=quay,
        plies=12 * (4 + 3 + 4),
    ),
    "champions": partial(
        SuiteTrial,
        usual=[
            {"seats": 4},
            {"seats": 2, "start_seat": 1, "near_shores": 1, "destiny_ties": 1},
            {"seats": 3, "leftmost_shore": 1, "hunting_workers": 1},
            {"seats": 4, "leftmost_shore": 1, "destiny_ties": 1},
            {"seats": 2, "leftmost_shore": 1, "near_shores": 1},
            {"seats": 3},
        ],
        matches=6,
        other=champions,
        plies=8 * 4 * 60,
        split=frozenset({"ExchangeGoods", "SendWarriors", "LoadFood", "PickDie", "Reroll"}),
    ),
    "ice_garden": partial(
        SuiteTrial,
        usual=[
            {"seats": 4},
            {"factions": [0, 1], "edition": 1, "start_order": [1, 0]},
            {"factions": [2, 3, 1], "advanced_order_tokens": True, "vuko_tiles": 1},
            {"seats": 4, "vuko_tiles": 2, "vuko_layout": [8, 6, 5, 7], "edition": 1},
            {"seats": 2, "factions": [2, 0], "vuko_tiles": 2, "vuko_sides": [0, 0, 1, 1]},
            {"seats": 1, "solo_level": 1, "factions": [2], "npc": 0},
            {"seats": 1, "solo_level": 4, "vuko_tiles": 2, "npc": 1, "edition": 1},
            {"seats": 1, "solo_level": 3, "npc": 2},
        ],
        matches=8,
        other=ice_garden,
        plies=10 * 4 * 120,
        hides=0.01,
    ),
    "yggdrasil": partial(
        SuiteTrial,
        usual=[
            {"seats": 1},
            {"gods": [0, 4]},
            {"gods": [5, 1, 2], "furious": 3, "bag_inspection": 1},
            {"seats": 6, "furious": 6, "ragnarok": 4, "thor_without_die": True},
            {"gods": [2]},
            {"seats": 4, "furious_enemies": [0, 3], "spread_evenly": False},
            {"gods": [1, 3, 4, 5, 0]},
        ],
        matches=20,
        other=yggdrasil,
        plies=50 * 4 * 15,
        shows=frozenset({"BagSearched", "BagCleaned", "VikingsLost"}),  # is the bag empty now?
    ),
}

NAMES = ["quay", *registry.GAMES]
"""The games that the suite runs on: the toy and all that are registered."""


def hidden(trial: SuiteTrial, s: Table, command: Command[Any]) -> bool:
    """Return whether others do not know that a seat answers *s* with *command* and not otherwise.

    So does not a step of an answer given in several: what it means will show at the last.
    """
    top: Any = s.agenda[-1]
    kind = type(command)
    return top.secret(s) or (kind.SECRET and kind.__name__ not in trial.split)


def game(name: str) -> Game:
    return QUAY if name == "quay" else registry.game(name)


@cache
def trial(name: str) -> SuiteTrial:
    found = TRIALS.get(name)
    assert found is not None, f"{name} is registered but has no entry in {__name__}.TRIALS"
    known = game(name)
    return found(known, reveals=frozenset([kind.__name__ for kind in known.reveals]))
