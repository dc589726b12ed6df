"""CM-20.5 Compares a case's expected values with those found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.events import FightEnded, JourneyRevealed, NoFight, RoundFought
from taflhall_engine.champions.ids import (
    COLORS,
    DESTINIES,
    GOODS,
    GREY,
    JOURNEYS,
    KRAKEN,
    LEADERS,
    NONE,
    POST_NAMES,
    RUNES,
    SHORES,
    TYPES,
    WARRIORS,
)
from taflhall_engine.champions.rules.ending import FinalRunes, result
from taflhall_engine.champions.rules.hunts import hunting
from taflhall_engine.champions.rules.rounds import Round
from taflhall_engine.champions.table import ChampionsTable, Clan
from taflhall_engine.conformance.cases import CaseError, Keys, differ
from taflhall_engine.conformance.champions.position import STOCKS, Position
from taflhall_engine.kernel.agenda import Event, asked, waiting
from taflhall_engine.kernel.notation import snake

BREAKDOWN: Final = [
    "glory",
    "destinies",
    "sets",
    "runes",
    "longship",
    "favour",
    "coins",
    "blame",
    "total",
    "enemies",
]
ENDED: Final = {"setup": "preparation", "scoring": "finished"}


class Found:
    """The outcome of a case."""

    def __init__(self, p: Position, unit: str, events: list[Event]) -> None:
        self.p = p
        self.s: ChampionsTable = p.s
        self.unit = unit
        self.events = events

    def check(self, then: Keys) -> list[str]:
        """Return every difference from the values that *then* expects."""
        differences = []
        for name, read in EXPECTATIONS.items():
            if name in then:
                differences += read(self, then.take(name), name)
        return differences

    # ---------------------------------------------------------------- how it went

    def outcomes(self) -> dict[str, str]:
        """Return won, lost or no_fight by space; a voyage's fight with Kraken does not count."""
        found = {}
        for event in self.events:
            if isinstance(event, NoFight):
                found[POST_NAMES[event.post]] = "no_fight"
            elif isinstance(event, FightEnded) and event.kind != KRAKEN:
                found[POST_NAMES[event.post]] = "won" if event.won else "lost"
        return found

    def outcome(self) -> str | None:
        s = self.s
        if self.unit == "cleanup":
            top = s.agenda[-1] if s.agenda else None
            return "next_round" if isinstance(top, Round) else "final_scoring"
        if self.unit in ("fight", "voyage"):
            return next(iter(self.outcomes().values()), None)
        if s.scores:
            return "finished"
        if s.round > self.p.first_round:
            return "next_round"
        if s.agenda:
            return "final_scoring" if isinstance(waiting(s), FinalRunes) else None
        return ENDED.get(self.unit, "phase_over")

    def combat_rounds(self) -> int:
        """Return the number of combat rounds of the last fight."""
        rounds = 0
        ended = True
        for event in self.events:
            if isinstance(event, RoundFought):
                rounds = 1 if ended else rounds + 1
                ended = False
            elif isinstance(event, FightEnded):
                ended = True
        return rounds

    def enemy_id(self, enemy: int) -> str:
        return "" if enemy == NONE else self.p.components.ids[enemy]


Expectation = Callable[[Found, Any, str], list[str]]


def _simple(value: Callable[[Found], Any]) -> Expectation:
    return lambda found, expected, name: differ(name, expected, value(found))


def _any_order(value: Callable[[Found], list[Any]]) -> Expectation:
    def check(found: Found, expected: Any, name: str) -> list[str]:
        return differ(name, sorted(expected), sorted(value(found)))

    return check


def _parts(names: Sequence[str], value: Callable[[Found], Sequence[int]]) -> Expectation:
    """Compare the stated parts of a table of amounts."""

    def check(found: Found, expected: Any, name: str) -> list[str]:
        keys = Keys(f"then.{name}", expected)
        found_parts = dict(zip(names, value(found), strict=True))
        differences = []
        for part in names:
            if part in keys:
                differences += differ(f"{name}.{part}", keys.take(part), found_parts[part])
        keys.finish()
        return differences

    return check


def _names(numbers: Sequence[int], words: Sequence[str]) -> list[str]:
    return ["" if number == NONE else words[number] for number in numbers]


def _set(mask: int, words: Sequence[str]) -> list[str]:
    return [words[k] for k in range(len(words)) if mask >> k & 1]


# ---------------------------------------------------------------- seats


def _multiset(counts: Sequence[int], words: Sequence[str]) -> dict[str, int]:
    return {words[k]: counts[k] for k in range(len(words)) if counts[k]}


def _known(s: ChampionsTable, clan: Clan) -> list[str]:
    return _names([s.journeys[k] if clan.knows >> k & 1 else NONE for k in range(SHORES)], JOURNEYS)


def seat_values(s: ChampionsTable, components: Components, clan: Clan) -> dict[str, Any]:
    """Return the values of a seat that a case may name."""
    return {
        "leader": _names([clan.leader], LEADERS)[0],
        "workers": clan.workers,
        **dict(zip(GOODS, clan.goods, strict=True)),
        "favour": clan.favour,
        "favour_spent": clan.favour_spent,
        "blame": clan.blame,
        "glory": clan.glory,
        "warriors": _multiset(clan.warriors, WARRIORS),
        "runes": _set(clan.runes, RUNES),
        "runes_used": _set(clan.runes_used, RUNES),
        "destinies": sorted(_names(clan.destinies, DESTINIES)),
        "destinies_shown": sorted(_set(clan.shown, DESTINIES)),
        "private_ship": _names([clan.ship], components.ship_ids)[0],
        "hut_bought": clan.hut,
        "trolls": clan.trolls,
        "draugr": _multiset(clan.draugr, COLORS[:GREY]),
        "monsters": _multiset(clan.monsters, COLORS[:GREY]),
        "known": _known(s, clan),
    }


def _seats(found: Found, expected: Any, name: str) -> list[str]:
    differences = []
    for data in expected:
        keys = Keys(f"then.{name}", data)
        seat = keys.need("seat")
        values = seat_values(found.s, found.p.components, found.s.clans[seat])
        for part, value in values.items():
            if part in keys:
                wanted = _as_found(keys.take(part), part)
                differences += differ(f"seat {seat} {part}", wanted, value)
        keys.finish()
    return differences


def _as_found(wanted: Any, part: str) -> Any:
    if isinstance(wanted, dict):
        return {kind: count for kind, count in wanted.items() if count}
    if isinstance(wanted, list) and part != "known":
        return sorted(wanted)
    return wanted


# ---------------------------------------------------------------- the end and the decision


def _breakdown(found: Found, expected: Any, name: str) -> list[str]:
    differences = []
    for data in expected:
        keys = Keys(f"then.{name}", data)
        seat = keys.need("seat")
        parts = found.s.scores[seat].fields() if found.s.scores else ()
        for k, part in enumerate(BREAKDOWN):
            if part in keys:
                value = parts[k] if parts else None
                differences += differ(f"seat {seat} {part}", keys.take(part), value)
        keys.finish()
    return differences


def _scores(found: Found) -> list[int]:
    end = result(found.s)
    return [] if end is None else end.scores


def _winners(found: Found) -> list[int]:
    end = result(found.s)
    return [] if end is None else [seat for seat, won in enumerate(end.won) if won]


def _pending(found: Found, expected: Any, name: str) -> list[str]:
    keys = Keys(f"then.{name}", expected)
    top = waiting(found.s)
    differences = []
    if "seat" in keys:
        differences += differ("pending seat", [keys.take("seat")], asked(found.s))
    if "command" in keys:
        kind = None if top is None else snake(type(top).__name__)
        differences += differ("pending command", keys.take("command"), kind)
    keys.finish()
    return differences


def _next_seat(found: Found, expected: Any, name: str) -> list[str]:
    return _pending(found, {"seat": expected, "command": "place_worker"}, name)


def _outcomes(found: Found, expected: Any, name: str) -> list[str]:
    differences = []
    outcomes = found.outcomes()
    for space, wanted in expected.items():
        if space not in POST_NAMES:
            raise CaseError(f"unknown space {space!r}")
        differences += differ(f"{name}.{space}", wanted, outcomes.get(space))
    return differences


def _hunting(found: Found, expected: Any, name: str) -> list[str]:
    differences = []
    for data in expected if isinstance(expected, list) else [expected]:
        keys = Keys(f"then.{name}", data)
        seat = keys.need("seat")
        clan = found.s.clans[seat]
        warriors = hunting(found.s, seat) if clan.hunters else [0] * TYPES
        wanted = _as_found(keys.take("warriors", {}), "warriors")
        differences += differ(f"seat {seat} hunting", wanted, _multiset(warriors, WARRIORS))
        keys.finish()
    return differences


def _enemy_discard(found: Found, expected: Any, name: str) -> list[str]:
    ids = [found.enemy_id(enemy) for enemy in found.s.enemy_discard]
    return differ(name, sorted(expected), sorted(name for name in ids if name))


def _bounties(found: Found) -> list[int]:
    s = found.s
    return [s.bounties[k] if s.monsters[k] != NONE else -1 for k in range(SHORES)]


def _revealed(found: Found) -> str | None:
    last = None
    for event in found.events:
        if isinstance(event, JourneyRevealed):
            last = JOURNEYS[event.journey]
    return last


EXPECTATIONS: Final[dict[str, Expectation]] = {
    "pending": _pending,
    "next_seat": _next_seat,
    "outcome": _simple(lambda f: f.outcome()),
    "outcomes": _outcomes,
    "combat_rounds": _simple(lambda f: f.combat_rounds()),
    "revealed": _simple(_revealed),
    "seats": _seats,
    "supply": _parts(WARRIORS, lambda f: f.s.supply),
    "stock": _parts(STOCKS, lambda f: f.s.stock),
    "marker": _simple(lambda f: f.s.marker),
    "round": _simple(lambda f: f.s.round),
    "rune_row": _any_order(lambda f: _names(f.s.rune_row, RUNES)),
    "rune_deck": _simple(lambda f: _names(f.s.rune_deck, RUNES)),
    "destiny_deck": _simple(lambda f: _names(f.s.destiny_deck, DESTINIES)),
    "journey_deck": _simple(lambda f: _names(f.s.journey_deck, JOURNEYS)),
    "journey_discard": _any_order(lambda f: _names(f.s.journey_discard, JOURNEYS)),
    "troll_deck": _simple(lambda f: [f.enemy_id(e) for e in f.s.troll_deck]),
    "draugr_deck": _simple(lambda f: [f.enemy_id(e) for e in f.s.draugr_deck]),
    "monster_deck": _simple(lambda f: [f.enemy_id(e) for e in f.s.monster_deck]),
    "merchant_deck": _simple(lambda f: [f.p.merchants[m] for m in f.s.merchant_deck]),
    "enemy_discard": _enemy_discard,
    "ships_left": _any_order(lambda f: _names(f.s.ships, f.p.components.ship_ids)),
    "huts_sold": _simple(lambda f: f.s.huts_sold),
    "journeys": _simple(lambda f: _names(f.s.journeys, JOURNEYS)),
    "monsters": _simple(lambda f: [f.enemy_id(e) for e in f.s.monsters]),
    "troll": _simple(lambda f: f.enemy_id(f.s.troll)),
    "draugr_spaces": _simple(lambda f: [f.enemy_id(e) for e in f.s.draugr]),
    "merchant_card": _simple(lambda f: f.p.merchants.get(f.s.merchant, "")),
    "bounties": _simple(_bounties),
    "hunting": _hunting,
    "breakdown": _breakdown,
    "scores": _simple(_scores),
    "winners": _simple(_winners),
}
