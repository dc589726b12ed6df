"""The environments obey PettingZoo's contract."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from taflhall_client.adapters.encoding import Encoder
from taflhall_client.adapters.pettingzoo import BoardGame, env
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import MAX_OPTIONS

GAMES = list(registry.GAMES)
SMALL = Encoder(128, 16)


@pytest.mark.parametrize("game", GAMES)
def test_it_passes_the_api_test(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about image shapes and inherited names
        api_test(env(game, {"seats": 2}, encoder=SMALL), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_it_passes_the_seed_test(game):
    seed_test(lambda: env(game, {"seats": 3}, encoder=SMALL), num_cycles=30)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_with_masks_and_rewards(game):
    environment = env(game, {"seats": 2}, encoder=SMALL)
    environment.reset(seed=3)
    rng, gained = np.random.default_rng(1), dict.fromkeys(environment.agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, over, cut, _ = environment.last()
        gained[agent] += reward
        assert environment.observation_space(agent).contains(observation)
        legal = np.flatnonzero(observation["action_mask"])
        environment.step(None if over or cut else int(rng.choice(legal)))
    same = registry.game(game).cooperative
    assert len(set(gained.values())) == 1 if same else sum(gained.values()) == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_spaces_of_a_game_are_the_same_for_any_number_of_seats(game):
    two, three = BoardGame(game, {"seats": 2}), BoardGame(game, {"seats": 3})
    assert two.observation_space("seat_0") == three.observation_space("seat_2")
    assert two.action_space("seat_0").n == three.action_space("seat_2").n == MAX_OPTIONS


def test_only_the_deciding_agent_has_actions():
    board = BoardGame("champions", {"seats": 3}, encoder=SMALL)
    board.reset(seed=1)
    masks = {agent: board.observe(agent)["action_mask"].sum() for agent in board.agents}
    assert masks.pop(board.agent_selection) > 0
    assert set(masks.values()) == {0}


def test_an_action_that_is_masked_is_refused_or_ends_the_match():
    board = BoardGame("champions", {"seats": 2}, encoder=SMALL)
    board.reset(seed=1)
    with pytest.raises(ValueError, match="action is from 0 to"):
        board.step(MAX_OPTIONS - 1)
    wrapped = env("champions", {"seats": 2}, encoder=SMALL)
    wrapped.reset(seed=1)
    offender = wrapped.agent_selection
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped.step(MAX_OPTIONS - 1)
    assert wrapped.terminations[offender]
    assert wrapped.rewards[offender] == -1


def test_a_match_of_too_many_plies_is_truncated():
    board = BoardGame("champions", {"seats": 2}, max_plies=3, encoder=SMALL)
    board.reset(seed=1)
    for _ in range(3):
        board.step(0)
    assert all(board.truncations.values())
