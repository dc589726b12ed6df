"""Many matches at once over the wire, between bots of which some fail."""

import pytest

from taflhall_client.bots.random import Random
from taflhall_client.errors import BotFailed, InvalidSetup
from taflhall_client.local import play
from taflhall_client.runner import MatchPlan, host, run
from taflhall_engine import registry
from taflhall_engine.yggdrasil.setup import Setup

GAME = registry.game("yggdrasil")


class Crashes:
    def choose(self, view, decision):
        raise ZeroDivisionError


class Remembers(Random):
    """Plays at random and remembers what it was asked and what it answered."""

    def __init__(self, game, seed):
        super().__init__(game, seed)
        self.log = []

    def choose(self, view, decision):
        choice = super().choose(view, decision)
        self.log.append((view, decision.step, decision.options, choice))
        return choice


def plan(*bots):
    return MatchPlan("yggdrasil", Setup(seats=len(bots)), bots)


async def test_many_matches_are_played_at_once(client):
    plans = [plan(Random(GAME, i), Random(GAME, -i)) for i in range(12)]
    outcomes = [outcome async for outcome in run(client, plans, concurrency=4)]
    assert len({outcome.match_id for outcome in outcomes}) == 12
    assert {id(outcome.plan) for outcome in outcomes} == {id(t) for t in plans}
    assert all(outcome.result is not None and not outcome.failures for outcome in outcomes)


async def test_a_failing_bot_costs_its_own_match_only(client):
    plans = [plan(Random(GAME), Random(GAME)), plan(Random(GAME), Crashes())]
    outcomes = {id(o.plan): o async for o in run(client, plans)}
    good, bad = (outcomes[id(t)].result for t in plans)
    assert good is not None
    assert bad is not None
    assert "resigned" not in good.reasons
    assert bad.reasons == ["resigned"]


async def test_a_bot_that_is_not_answered_for_ends_its_match_with_its_failure(client):
    outcome = await host(client, plan(Crashes(), Crashes()), on_failure="raise")
    assert outcome.result is None
    assert any(isinstance(failure, BotFailed) for failure in outcome.failures)


async def test_a_match_that_cannot_be_created_is_an_outcome(client):
    outcome = await host(client, MatchPlan("yggdrasil", Setup(seats=9), [Random(GAME)]))
    assert isinstance(outcome.failures[0], InvalidSetup)


@pytest.mark.parametrize("name", sorted(registry.GAMES))
async def test_a_bot_sees_the_same_over_the_wire_as_in_process(client, name):
    game = registry.game(name)
    setup = game.setup_kind(seats=2)
    bots = [Remembers(game, seed) for seed in range(2)]
    outcome = await host(client, MatchPlan(name, setup, bots))
    assert outcome.info is not None
    secret = bytes.fromhex(outcome.info.secret)
    again = [Remembers(game, seed) for seed in range(2)]
    played = play(game, again, setup, secret=secret)
    assert played.result == outcome.result
    for there, here in zip(bots, again, strict=True):
        assert there.log == here.log
        assert there.log
