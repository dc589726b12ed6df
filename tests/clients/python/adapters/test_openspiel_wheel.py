"""OpenSpiel's own checks and algorithms take our games and states, where OpenSpiel is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from taflhall_client.adapters.openspiel import SpielGame, SpielState, load_game
from taflhall_engine import registry

pyspiel = pytest.importorskip("pyspiel", reason="pip install open_spiel")
np = import_module("numpy")
GAMES = list(registry.GAMES)


def part(name: str) -> Any:
    return import_module(f"open_spiel.python.{name}")


def methods(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize(("ours", "theirs"), [(SpielState, "State"), (SpielGame, "Game")])
def test_every_method_is_one_of_openspiel(ours, theirs):
    own = methods(ours) - {"rules", "setup", "encoder"}
    assert own <= methods(getattr(pyspiel, theirs))


@pytest.mark.parametrize("name", GAMES)
def test_the_simulation_test_of_openspiel_passes(name):
    test = part("tests.games_sim_test").GamesSimTest()
    test.sim_game(
        load_game(name, {"seats": 2}),
        check_pyspiel_serialization=False,
        check_pickle_serialization=False,
    )


class Uninformed:
    """A bot of OpenSpiel that hears nothing of the others: they pass it states of C++ alone."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    def restart_at(self, state: SpielState) -> None:
        """Forget what was before."""

    def step(self, state: SpielState) -> int:
        action: int = self.bot.step(state)
        return action

    def inform_action(self, state: SpielState, player: int, action: int) -> None:
        """Forget it."""


@pytest.mark.parametrize("name", GAMES)
def test_bots_of_openspiel_play_a_match(name):
    uniform = part("bots.uniform_random").UniformRandomBot
    bots = [Uninformed(uniform(player, np.random.RandomState(player))) for player in range(2)]
    state = load_game(name, {"seats": 2}).new_initial_state(3)
    evaluate = part("algorithms.evaluate_bots").evaluate_bots
    returns = evaluate(state, bots, np.random.RandomState(5))
    assert state.is_terminal()
    assert list(returns) == state.returns()


@pytest.mark.parametrize("name", GAMES)
def test_the_searches_of_openspiel_choose_an_action(name):
    mcts, ismcts = part("algorithms.mcts"), part("algorithms.ismcts")
    game = load_game(name, {"seats": 2})
    state = game.new_initial_state(3)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    searches = (
        mcts.MCTSBot(game, 1.0, 3, evaluator, random_state=rng),
        ismcts.ISMCTSBot(game, evaluator, 1.0, 3, random_state=rng, use_observation_string=True),
    )
    for search in searches:
        assert search.step(state) in state.legal_actions()
