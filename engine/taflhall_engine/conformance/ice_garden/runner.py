"""IG-21 The conformance runner: builds a position, answers decisions, compares the outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from taflhall_engine.conformance.cases import CaseError, Keys, check_listing, differ
from taflhall_engine.conformance.ice_garden.choices import NoSuchOption, command_of
from taflhall_engine.conformance.ice_garden.findings import compare
from taflhall_engine.conformance.ice_garden.positions import number, position
from taflhall_engine.ice_garden.game import IceGarden
from taflhall_engine.ice_garden.ids import FACTIONS, NONE
from taflhall_engine.ice_garden.rules.base import Phase
from taflhall_engine.ice_garden.rules.domination import RegionEnd
from taflhall_engine.ice_garden.rules.rounds import NextRound
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Step, Waiting
from taflhall_engine.kernel.chance import ScriptedChance
from taflhall_engine.kernel.notation import snake

DECISION_KEYS = {"pending", "legal", "illegal", "options"}
"""A case's description of the pending decision; ``options`` is the whole list, in any order."""
ADVANCES = ("next_decision", "state_end", "region_end", "round_end")

ILLEGAL_OPTION = "illegal_option"
"""The one code that the specification has for every refusal of a rule."""


def run_case(game: IceGarden, case: dict[str, Any]) -> list[str]:
    """Run one case; return what differs."""
    keys = Keys("case", case)
    for word in ("id", "title", "rules"):
        keys.take(word)
    given = keys.need("given")
    entries = keys.take("when", [])
    then = keys.take("then", {})
    keys.finish()
    s = position(game.components, game.tables, given)
    differences: list[str] = []
    for index, entry in enumerate(entries):
        last = index == len(entries) - 1
        place = f"when[{index}]"
        if "advance" in entry:
            differences += _advance(s, place, entry)
        else:
            differences += _answer(s, place, entry)
            if last and not differences:
                _go_on(s, "pending" not in then)
    if not entries and DECISION_KEYS & set(then):
        _crank(s, _never)
    differences += _pending(s, then)
    rest = {k: v for k, v in then.items() if k not in DECISION_KEYS}
    differences += compare(s, rest)
    assert isinstance(s.chance, ScriptedChance)
    return differences + differ("dice left", 0, s.chance.left())


# ---------------------------------------------------------------- turning the crank


def _never(_s: IceGardenTable, _top: Step[Any]) -> bool:
    return False


def _leaves_state(s: IceGardenTable, top: Step[Any]) -> bool:
    """IG-21 The next state is about to be entered."""
    return isinstance(top, Phase) and s.state != top.STATE


def _leaves_round(_s: IceGardenTable, top: Step[Any]) -> bool:
    return isinstance(top, NextRound)


def _crank(
    s: IceGardenTable, stop: Callable[[IceGardenTable, Step[Any]], bool]
) -> Waiting[Any] | None:
    """Run steps until *stop*, a decision or the end; return the decision, if one is reached."""
    while s.agenda:
        top = s.agenda[-1]
        if stop(s, top):
            return None
        if not isinstance(top, Waiting):
            s.agenda.pop()
            top.run(s)
            continue
        seat = top.seats(s)[0]
        legal = top.options(s, seat)
        check_listing(s, top, seat, legal)
        if not top.forced(s, legal):
            return top
        s.agenda.pop()
        if legal:
            top.resolve(s, seat, legal[0])
    return None


def _open_decision(s: IceGardenTable) -> Waiting[Any] | None:
    """Return the decision the table rests on, without turning the crank."""
    if s.agenda:
        top = s.agenda[-1]
        if isinstance(top, Waiting) and not top.forced(s, top.options(s, top.seats(s)[0])):
            return top
    return None


def _advance(s: IceGardenTable, place: str, entry: Mapping[str, Any]) -> list[str]:
    keys = Keys(place, entry)
    how = keys.need("advance")
    keys.finish()
    if how not in ADVANCES:
        raise CaseError(f"{place}.advance: {how!r} is not one of {', '.join(ADVANCES)}")
    if how == "next_decision":
        _crank(s, _never)
        return []
    stop = _leaves_round if how == "round_end" else _leaves_state
    if how == "region_end":
        stop = _at_region_end
    found = _crank(s, stop)
    if found is not None:
        return [f"{place}: {snake(type(found).__name__)} waits on the way to {how}"]
    if s.agenda and how == "region_end":
        if not isinstance(s.agenda[-1], RegionEnd):
            return [f"{place}: the state ended before a region's end"]
        s.agenda.pop().run(s)
    if s.agenda and isinstance(s.agenda[-1], Phase) and how == "state_end":
        s.state = s.agenda[-1].STATE
    return []


def _at_region_end(_s: IceGardenTable, top: Step[Any]) -> bool:
    return isinstance(top, RegionEnd)


# ---------------------------------------------------------------- commands


def _answer(s: IceGardenTable, place: str, entry: Mapping[str, Any]) -> list[str]:
    """Carry out a command, or see that it is rejected."""
    keys = Keys(place, entry)
    faction = number(f"{place}.player", keys.need("player"), FACTIONS)
    decision = keys.need("decision")
    choice = keys.need("choice")
    expected = keys.take("expect_error")
    keys.finish()
    top = _crank(s, _never)
    error, command = _judge(s, top, faction, decision, choice)
    if expected is not None:
        before = _facts(s)
        return differ(f"{place} error", expected, error) + differ(
            f"{place} rejected", before, _facts(s)
        )
    if error is not None or top is None or command is None:
        waits = "nothing" if top is None else snake(type(top).__name__)
        return [f"{place}: rejected with {error}; {waits} waits"]
    s.agenda.pop()
    top.resolve(s, s.options.seat_of[faction], command)
    return []


def _go_on(s: IceGardenTable, stay: bool) -> None:
    """IG-21 After the last command: to the next decision, but not out of the state if *stay*."""
    found = _crank(s, _leaves_state if stay else _never)
    if stay and found is None and s.agenda and isinstance(s.agenda[-1], Phase):
        s.state = s.agenda[-1].STATE


def _judge(
    s: IceGardenTable,
    top: Waiting[Any] | None,
    faction: int,
    decision: str,
    choice: Mapping[str, Any],
) -> tuple[str | None, Command[IceGardenTable] | None]:
    """IG-20 Return the first code that applies to a command, or the command."""
    if top is None:
        return "game_over", None
    if snake(type(top).__name__) != decision:
        command_check(decision, choice)
        return "stale_decision", None
    seat = s.options.seat_of[faction]
    if seat == NONE or seat not in top.seats(s):
        return "not_your_decision", None
    try:
        command = command_of(decision, choice)
    except NoSuchOption:
        return ILLEGAL_OPTION, None
    refusal = top.refusal(s, seat, command)
    return (None, command) if refusal is None else (ILLEGAL_OPTION, None)


def command_check(decision: str, choice: Mapping[str, Any]) -> None:
    """Raise :exc:`CaseError` if a choice has keys that its decision does not know."""
    try:
        command_of(decision, choice)
    except NoSuchOption:
        return


def _facts(s: IceGardenTable) -> list[Any]:
    return [repr(s.agenda), s.stock[:], s.influence[:], s.figure_at[:], s.bank[:]]


# ---------------------------------------------------------------- pending decisions


def _pending(s: IceGardenTable, then: Mapping[str, Any]) -> list[str]:
    """Compare the pending decision and its options."""
    differences: list[str] = []
    top = _open_decision(s)
    found: Any = "none"
    if top is not None:
        player = FACTIONS[s.options.factions[top.seats(s)[0]]]
        found = {"player": player, "decision": snake(type(top).__name__)}
    if "pending" in then:
        expected = then["pending"]
        if expected != "none":
            keys = Keys("then.pending", expected)
            keys.need("player")
            keys.need("decision")
            keys.finish()
        differences += differ("pending", expected, found)
    for word in ("legal", "illegal"):
        for choice in then.get(word, []):
            differences += _offered(s, top, choice, word == "legal")
    if "options" in then:
        differences += _listed(s, top, then["options"])
    if top is not None:
        options = top.options(s, top.seats(s)[0])
        twice = [repr(c) for c, n in Counter(options).items() if n > 1]
        differences += differ("options listed twice", [], twice)
    return differences


def _listed(
    s: IceGardenTable, top: Waiting[Any] | None, choices: list[Mapping[str, Any]]
) -> list[str]:
    """Compare the whole list of options."""
    if top is None:
        return [f"no decision offers {choices!r}"]
    expected = [repr(command_of(snake(type(top).__name__), choice)) for choice in choices]
    found = [repr(command) for command in top.options(s, top.seats(s)[0])]
    return differ("options", sorted(expected), sorted(found))


def _offered(
    s: IceGardenTable, top: Waiting[Any] | None, choice: Mapping[str, Any], expected: bool
) -> list[str]:
    if top is None:
        return [f"no decision offers or forbids {choice!r}"]
    found = True
    try:
        command = command_of(snake(type(top).__name__), choice)
        found = command in top.options(s, top.seats(s)[0])
    except NoSuchOption:
        found = False
    return [] if found == expected else [f"legal({choice!r}): expected {expected}, found {found}"]
