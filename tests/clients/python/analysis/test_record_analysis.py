"""``Client.analyse``: judgements of a server, in the engine's own values."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_client import errors, sync
from taflhall_client.analysis.match import Effort, text_of
from taflhall_client.analysis.match import analyse as analyse_here
from taflhall_client.bot import Resign
from taflhall_client.bots.random import Random
from taflhall_client.local import LocalMatch, play
from taflhall_client.record_analysis import record_to
from taflhall_client.results import AnswerGrade
from taflhall_engine import registry
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.meta_commands import ABANDON, RESIGN
from taflhall_engine.kernel.replay import RecordError, replay
from taflhall_service.rpc.requests import record_of

GAME = registry.game("yggdrasil")
QUICK: dict[str, Any] = {"iterations": 8, "trials": 4, "seed": 3}


class Resigns:
    """Plays at random for some decisions, and then resigns."""

    def __init__(self, game: Any, decisions: int) -> None:
        self.random = Random(game, 1)
        self.left = decisions

    def choose(self, view: Any, decision: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise Resign
        return self.random.choose(view, decision)


def record(game: Any = GAME, decisions: int = 12) -> dict[str, Any]:
    bots: list[Any] = [Resigns(game, decisions), Random(game, 2)]
    setup = game.setup_kind(seats=2)
    return play(game, bots, setup, secret=bytes(32)).record(["Ann", "Ben"])


@pytest.mark.parametrize("name", list(registry.GAMES))
def test_the_message_of_a_record_says_what_the_record_says(name):
    game = registry.game(name)
    made = record(game)
    assert made["commands"][-1] == [0, RESIGN.name]
    found_game, found = record_of(record_to(game, made))
    assert found_game.id == game.id
    digests = ["" for _ in made["digests"][:-1]] + made["digests"][-1:]
    assert found == made | {"digests": digests}


def test_a_match_that_the_server_abandoned_has_a_message_too():
    match = LocalMatch(GAME, GAME.setup_kind(seats=2), bytes(32))
    made = match.save(["Ann", "Ben"]) | {"commands": [[-1, ABANDON.name]], "digests": ["00"]}
    made["result"] = {"won": [False, False], "places": [], "scores": [], "reasons": ["abandoned"]}
    (command,) = record_to(GAME, made).commands
    assert not command.HasField("seat")
    assert not command.commands


@pytest.mark.parametrize(
    "wrong",
    [
        {"setup": {"gods": 3}},
        {"secret": "none"},
        {"commands": [[0, "no command"]]},
        {"commands": [0]},
        {"result": {}},
    ],
)
def test_invalid_records_are_refused_before_a_call(wrong):
    with pytest.raises(RecordError):
        record_to(GAME, record() | wrong)


async def test_a_server_judges_a_record_as_this_process_does(client):
    made = record()
    judged = [answer async for answer in client.analyse(made, **QUICK)]
    here = list(analyse_here(replay(GAME, made), Effort(8, 4), 3))
    assert [(j.revision, j.seat) for j in judged] == [(d.revision, d.seat) for d in here]
    assert [text_of(GAME, j.chosen) for j in judged] == [d.chosen for d in here]
    assert [text_of(GAME, j.best) for j in judged] == [d.best for d in here]
    assert [j.loss for j in judged] == pytest.approx([d.loss for d in here])
    assert [j.grade.name.lower() for j in judged] == [d.grade or "sound" for d in here]
    moves = replay(GAME, made).moves
    assert judged[0].chosen == steps_of(moves[judged[0].revision - 1][1])


async def test_an_analysis_begins_where_it_is_asked_to(client):
    made = record()
    all_of_it = [answer async for answer in client.analyse(made, **QUICK)]
    middle = all_of_it[len(all_of_it) // 2]
    later = client.analyse(made, first_revision=middle.revision, **QUICK)
    assert await anext(later) == middle
    await later.aclose()


async def test_a_record_that_does_not_replay_is_malformed(client):
    made = record()
    made["digests"][-1] = "00"
    with pytest.raises(errors.Malformed):
        await anext(client.analyse(made, **QUICK))


def test_the_blocking_client_analyses_a_match_that_it_played(address):
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": 1}, start_when_full=True)
        ann = match.join("Ann")
        for _ in range(4):
            decision = ann.decision()
            assert decision is not None
            ann.submit(decision.options[0])
        ann.resign()
        first = next(client.analyse(match.record(), **QUICK))
    assert first.seat == 0
    assert first.grade is not AnswerGrade.UNKNOWN
    assert 0 <= first.expected_after <= first.expected_before <= 1
