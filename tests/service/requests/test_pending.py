"""What is pending after an action, and whose clock is charged for it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Command, Step, Table, Together, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import Draft
from taflhall_engine.kernel.drafts import whole as whole_answer
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import RESIGN, TIMEOUT
from taflhall_engine.kernel.meta_commands import pending as pending_seats
from taflhall_engine.kernel.snapshot import digest, dump
from taflhall_service.app.matches.create import new_match
from taflhall_service.app.matches.start import with_table
from taflhall_service.app.matches.table_update import TableUpdate, pending_ids, refusal_of
from taflhall_service.app.matches.timeouts import ExpireSeat, PlayStandIn
from taflhall_service.app.model.clocks import Clocks, Moment, SeatClock, TimeControl, TimeoutPolicy
from taflhall_service.app.model.match import PLAYING, Match
from taflhall_service.app.model.tokens import decision_id
from tests.engine.toy import QUAY
from tests.service.requests.matches import NOW, bot, open_match, playing, prepared, seat
from tests.service.requests.process import whole

ORIGIN = open_match(seat("ann"), seat("bob"), seat("cy")).origin
HEAD = b"head"


class Draws(Together[Any]):
    """Several seats draw at the same time."""

    def __init__(self, waiting: int, card: int = 1) -> None:
        super().__init__(waiting)
        self.card = card

    def remaining(self, waiting: int) -> Step[Any]:
        return Draws(waiting, self.card)


class Discards(Draws):
    """Several seats discard at the same time."""


def pending(now: Together[Any], top: Any, answered: int = 0) -> dict[int, str]:
    """Return what is pending while *now* is, after *answered* has answered *top*.

    Before, the decisions of all three seats were pending.
    """
    table: Any = Table.__new__(Table)
    table.agenda = [now]
    before = {number: f"before {number}" for number in range(3)}
    return pending_ids(ORIGIN, HEAD, 7, table, now.seats(table), top, answered, before)


def new(*seats: int) -> dict[int, str]:
    return {number: decision_id(ORIGIN.chain, HEAD, 7, number) for number in seats}


def test_those_who_decide_at_the_same_time_keep_their_decision_when_another_has_answered():
    assert pending(Draws(0b110), Draws(0b111)) == {1: "before 1", 2: "before 2"}
    assert pending(Draws(0b100), Draws(0b110), 1) == {2: "before 2"}


@pytest.mark.parametrize(
    ("now", "top", "answered"),
    [
        (Draws(0b110), None, 0),
        (Draws(0b110), Draws(0b101), 0),
        (Draws(0b110), Draws(0b111), 1),
        (Draws(0b011), Draws(0b111), 0),
        (Draws(0b110), Discards(0b111), 0),
        (Discards(0b110), Draws(0b111), 0),
        (Draws(0b110, card=2), Draws(0b111, card=1), 0),
        (Draws(0b111), Draws(0b001), 0),
    ],
)
def test_another_decision_is_a_new_one_for_everybody(now, top, answered):
    assert pending(now, top, answered) == new(*now.seats(None))


def test_a_command_without_a_reason_against_it_is_not_offered():
    table: Any = Table.__new__(Table)
    assert refusal_of(table, 0, Any).code == "not_offered"  # type: ignore[arg-type]


# ---------------------------------------------------------------- what may be undone


def opened(game: Game, seats: int) -> Match:
    """Return a match of *game* that has just started."""
    setup = game.setup_kind(seats=seats)
    origin = replace(
        ORIGIN,
        game=game.id,
        rules_version=game.version,
        data_digest=game.data_digest,
        setup=dump(setup),
    )
    held = tuple(seat(name) for name in ("ann", "bob", "cy")[:seats])
    return with_table(new_match(game, origin, setup, held), NOW)


@pytest.mark.parametrize(
    ("name", "seats", "resigned"),
    [("champions", 2, None), ("champions", 3, 1), ("ice_garden", 2, None), ("yggdrasil", 2, None)],
)
def test_a_match_continues_as_the_rules_alone_would_have_it(
    name: str, seats: int, resigned: int | None
):
    """Its table, its events, what may be undone and who has to decide, after every answer."""
    game = registry.game(name)
    match = opened(game, seats)
    update = TableUpdate(match, NOW)
    line, rng, steps = Mainline(game, match.setup, ORIGIN.secret), FastChance(3), 0
    if resigned is not None:
        update.do(resigned, RESIGN)
        line.push(resigned, RESIGN)
    for _ in range(80):
        number, given, complete = min(update.match().pending), list[Command[Any]](), False
        draft = Draft(line.table, number)
        while not complete:
            option = rng.below(len(options(draft.table, number)))
            given.append(update.command(number, option, 0))
            complete = update.answer(number, given[-1])
            assert draft.give(given[-1]) == complete
        steps += len(given) > 1
        events = line.push(number, whole_answer(given))
        match = update.match()
        assert match.table is not None
        assert match.table.journal is None
        assert digest(game, match.table) == digest(game, line.table)
        assert dump(list(update.entries[-1].events)) == dump(events)
        assert (match.revision, match.end) == (line.revision, line.end)
        assert list(match.pending) == pending_seats(game, line.table, line.withdrawn)
        assert update.taken == []
        if not match.pending:
            break
    assert name != "champions" or steps


def test_players_who_bid_at_the_same_time_keep_their_decisions_until_the_last_has_bid():
    update = TableUpdate(opened(QUAY, 3), NOW)
    first = update.match().pending
    assert list(first) == [0, 1, 2]
    for number in range(3):
        assert update.match().pending == {other: first[other] for other in range(number, 3)}
        update.answer(number, update.command(number, 1, 0))
    assert not set(update.match().pending.values()) & set(first.values())


# ---------------------------------------------------------------- clocks


def decider(match: Match) -> int:
    [number] = match.pending
    return number


def timed(*clocks: SeatClock, increment: int = 0, **more: Any) -> Match:
    terms = TimeControl(1000, increment, policy=more.pop("policy", TimeoutPolicy.NEUTRAL))
    names = ("ann", "bob", "cy")[: len(clocks)]
    match = playing(*[seat(name, **more) for name in names], clock=terms)
    return match.replaced(clocks=Clocks(clocks))


def absent_but(number: int, missed: int) -> Match:
    """Return a match whose other seat is absent; *number* has missed its last decisions."""
    clocks = [SeatClock(1000, missed=2), SeatClock(1000, missed=2)]
    clocks[number] = SeatClock(1000, 2000, missed)
    return timed(*clocks)


@pytest.mark.parametrize(("missed", "frozen"), [(0, False), (1, True), (2, True)])
def test_the_clocks_wait_when_the_last_player_is_absent(missed: int, frozen: bool):
    number = decider(timed(SeatClock(1000), SeatClock(1000)))
    change = prepared(ExpireSeat(number), absent_but(number, missed), Moment(9000))
    assert change.entries[0].command == TIMEOUT
    assert change.match.clocks is not None
    assert change.match.clocks.frozen == frozen
    assert change.entries[0].clocks == change.match.clocks


def test_a_timeout_of_one_of_several_players_stops_no_clock():
    number = decider(timed(SeatClock(1000), SeatClock(1000)))
    clocks = [SeatClock(1000), SeatClock(1000)]
    clocks[number] = SeatClock(1000, 2000, missed=1)
    change = prepared(ExpireSeat(number), timed(*clocks), Moment(9000))
    assert change.match.clocks is not None
    assert not change.match.clocks.frozen


def test_a_resignation_that_leaves_only_absent_players_stops_no_clock():
    absent = SeatClock(1000, 2000, missed=2)
    match = timed(absent, absent, absent)
    update = TableUpdate(match, Moment(2300))
    update.do(1 - min(match.pending), RESIGN)
    clocks = update.match().clocks
    assert clocks is not None
    assert not clocks.frozen


def test_an_answer_stops_no_clock_and_is_charged():
    number = decider(timed(SeatClock(1000), SeatClock(1000)))
    match = absent_but(number, 0)
    match = match.replaced(
        clocks=Clocks(
            tuple(
                SeatClock(1000, 2000 if number == n else 0, missed=0 if number == n else 2)
                for n in range(2)
            )
        )
    )
    update = TableUpdate(match, Moment(2300))
    for option in whole(match, number):
        update.answer(number, update.command(number, option, 0))
    change = update.to_change()
    assert change.entries[0].used_ms == 300
    assert change.match.clocks is not None
    assert not change.match.clocks.frozen
    assert change.match.clocks.seats[number].bank == 700
    assert (change.match.status, change.match.result) == (PLAYING, None)


@pytest.mark.parametrize("automatic", [True, False])
def test_a_stand_in_gets_no_time_for_its_answers(automatic: bool):
    held = [SeatClock(1000, stand_in=automatic), SeatClock(1000, stand_in=automatic)]
    match = timed(*held, increment=500, stand_in=automatic)
    number = decider(match)
    update = TableUpdate(match, Moment(2000))
    for option in whole(match, number):
        update.answer(number, update.command(number, option, 0))
    clocks = update.match().clocks
    assert clocks is not None
    assert clocks.seats[number].bank == (1000 if automatic else 1500)


def test_an_answer_without_clocks_takes_no_time():
    match = playing(bot("A"), bot("B"))
    number = decider(match)
    change = prepared(PlayStandIn(0, number, whole(match, number)), match)
    assert (change.entries[0].used_ms, change.entries[0].clocks) == (0, None)
    assert change.entries[0].step is not None
