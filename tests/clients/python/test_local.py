"""Matches in process: bots see views, a failing bot alone pays for it."""

import logging
import subprocess
import sys
from typing import Any

import pytest

from taflhall_client.bot import Decision, Resign
from taflhall_client.bots.random import Random
from taflhall_client.bots.search import Search
from taflhall_client.errors import BotFailed
from taflhall_client.local import TooLong, play
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Answered, Resigned, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_engine.kernel.replay import replay
from tests.engine.toy import QUAY, Setup, rules

SECRET = bytes(32)


class Spy:
    """Plays at random and remembers what it saw."""

    def __init__(self, seed=0):
        self.random = Random(QUAY, seed)
        self.seen = []

    def choose(self, view, decision):
        self.seen.append((view, decision))
        return self.random.choose(view, decision)


class Fails:
    """Plays at random until its third decision."""

    def __init__(self, how):
        self.how = how
        self.asked = 0
        self.random = Random(QUAY)

    def choose(self, view, decision):
        self.asked += 1
        if self.asked >= 3:
            return self.how()
        return self.random.choose(view, decision)


def crash():
    raise ZeroDivisionError("oh")


def cheat():
    return rules.Bid(99)


def give_up():
    raise Resign


def randoms():
    return [Random(QUAY, seed) for seed in range(3)]


def test_a_match_is_played_to_its_end_and_its_record_is_true():
    played = play(QUAY, randoms(), Setup(), secret=SECRET)
    found = replay(QUAY, played.record(["a", "b", "c"]))
    assert found.result == played.result
    assert found.moves == played.moves
    assert not played.failures


def test_the_same_secret_and_bots_play_the_same_match():
    first, second = (play(QUAY, randoms(), Setup(), secret=SECRET) for _ in range(2))
    assert first.moves == second.moves
    assert play(QUAY, randoms(), Setup()).secret != play(QUAY, randoms(), Setup()).secret


def test_a_bot_sees_its_own_view_and_all_its_options():
    spies = [Spy(seed) for seed in range(3)]
    play(QUAY, spies, Setup(), secret=SECRET)
    for seat, spy in enumerate(spies):
        assert spy.seen
        for view, decision in spy.seen:
            assert isinstance(view, View)
            assert view.seat == decision.seat == seat
            assert decision.rule == decision.step.RULE
            assert decision.options == options(QUAY.imagine(view, FastChance(1)), seat)


def test_every_event_reaches_the_listener():
    received: list[Any] = []
    played = play(QUAY, randoms(), Setup(), secret=SECRET, listen=received.append)
    assert len(received) == len(played.moves)
    for (seat, command), events in zip(played.moves, received, strict=True):
        [*_, answered] = [e for e in events if isinstance(e, Answered) and e.seat == seat][:1]
        assert answered.command == command


@pytest.mark.parametrize("how", [crash, cheat, lambda: None, lambda: 0])
def test_a_failing_bot_is_named(how):
    with pytest.raises(BotFailed, match=r"Fails .*seat 1") as e:
        play(QUAY, [Random(QUAY), Fails(how), Random(QUAY)], Setup())
    assert (how is crash) == isinstance(e.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("how", [crash, cheat])
def test_only_the_failing_bot_resigns(how, caplog):
    received: list[Any] = []
    bots: list[Any] = [Random(QUAY, 1), Fails(how), Random(QUAY, 2)]
    with caplog.at_level(logging.ERROR, "taflhall.bot"):
        played = play(QUAY, bots, Setup(), on_failure="resign", listen=received.extend)
    assert [seat for seat, _ in played.failures] == [1]
    assert (1, RESIGN) in played.moves
    assert Resigned("", 1) in received
    assert played.result.places[1] == 3
    assert "seat 1 resigns" in caplog.text
    assert ("ZeroDivisionError: oh" in caplog.text) == (how is crash)
    replay(QUAY, played.record(["a", "b", "c"]))


def test_a_failing_bot_can_be_answered_for(caplog):
    bots: list[Any] = [Random(QUAY, 1), Fails(crash), Random(QUAY, 2)]
    played = play(QUAY, bots, Setup(), on_failure="neutral")
    assert len(played.failures) > 1
    assert (1, RESIGN) not in played.moves
    assert "resigned" not in played.result.reasons
    replay(QUAY, played.record(["a", "b", "c"]))


def test_a_bot_may_resign_without_having_failed():
    played = play(QUAY, [Random(QUAY, 1), Fails(give_up), Random(QUAY, 2)], Setup())
    assert not played.failures
    assert (1, RESIGN) in played.moves
    assert "resigned" in played.result.reasons


def test_every_seat_needs_a_bot():
    with pytest.raises(ValueError, match="2 bots for 3 seats"):
        play(QUAY, [Random(QUAY)] * 2, Setup())


def test_a_match_that_takes_too_long_is_abandoned():
    with pytest.raises(TooLong):
        play(QUAY, randoms(), Setup(), limit=5)


def test_the_search_bot_beats_random_ones():
    wins = 0
    for seat in range(3):
        bots = randoms()
        bots[seat] = Search(QUAY, seat, iterations=40)
        wins += play(QUAY, bots, Setup(rounds=3), secret=bytes([seat]) * 32).result.won[seat]
    assert wins == 3


def test_the_search_bot_plays_the_same_with_the_same_seed():
    spies = [Spy(seed) for seed in range(3)]
    play(QUAY, spies, Setup(), secret=SECRET)
    view, decision = next(s for s in spies[0].seen if len(s[1].options) > 2)
    first, second = (Search(QUAY, 7, iterations=20).choose(view, decision) for _ in range(2))
    assert first == second
    assert first in decision.options


@pytest.mark.parametrize("name", list(registry.GAMES))
def test_a_decision_is_the_same_type_in_process_as_at_a_hosted_table(name):
    game = registry.game(name)
    seen = []

    class Looks(Random):
        def choose(self, view, decision):
            seen.append((type(decision), decision.deadline, decision.rule, decision.decision_id))
            raise Resign

    setup = game.setup_kind(seats=2)
    seats = game.seats(game.new(setup, FastChance(0)))
    play(game, [Looks(game)] * seats, setup)
    assert {(kind, deadline) for kind, deadline, _, _ in seen} == {(Decision, None)}
    assert all(rule in game.rulebook.rules for _, _, rule, _ in seen)


@pytest.mark.parametrize("module", ["taflhall_client.local", "taflhall_client.tournament.workers"])
def test_a_match_in_process_imports_neither_grpc_nor_messages(module):
    slow = "{'grpc', 'google.protobuf'}"
    program = f"import sys; import {module}; sys.exit(bool({slow} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
