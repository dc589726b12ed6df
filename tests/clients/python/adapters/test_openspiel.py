"""Games and states behave as OpenSpiel's do."""

import random

import pytest

from taflhall_client.adapters.openspiel import TERMINAL, SpielState, load_game
from taflhall_engine import registry

GAMES = list(registry.GAMES)


def played(state: SpielState, rng: random.Random) -> SpielState:
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_a_random_match_ends_with_returns_in_range(name):
    game = load_game(name, {"seats": 2})
    state = played(game.new_initial_state(5), random.Random(1))
    assert state.current_player() == TERMINAL
    assert state.legal_actions() == []
    assert len(state.returns()) == game.num_players() == 2
    assert all(game.min_utility() <= gain <= game.max_utility() for gain in state.returns())
    assert len(state.observation_tensor(0)) == game.observation_tensor_shape()[0]
    assert str(state) == " ".join(map(str, state.history()))


@pytest.mark.parametrize("name", GAMES)
def test_the_same_actions_lead_to_the_same_state(name):
    game = load_game(name, {"seats": 2})
    first = played(game.new_initial_state(5), random.Random(1))
    again = game.new_initial_state(5)
    for action in first.history():
        assert not again.is_chance_node()
        assert again.legal_actions_mask()[action] == 1
        again.apply_action(action)
    assert again.returns() == first.returns()
    assert again.observation_string(1) == first.observation_string(1)


@pytest.mark.parametrize("name", GAMES)
def test_a_clone_goes_its_own_way_with_the_same_chance(name):
    rng = random.Random(2)
    state = load_game(name, {"seats": 2}).new_initial_state(7)
    for _ in range(25):
        state.apply_action(rng.choice(state.legal_actions()))
    before = state.observation_string(0)
    first, second = state.clone(), state.clone()
    assert played(first, random.Random(3)).history() == played(second, random.Random(3)).history()
    assert first.observation_string(0) == second.observation_string(0)
    assert state.observation_string(0) == before


@pytest.mark.parametrize("name", GAMES)
def test_a_resampled_state_looks_the_same_to_the_player(name):
    rng = random.Random(4)
    state = load_game(name, {"seats": 2}).new_initial_state(7)
    for _ in range(40):
        seat = state.current_player()
        other = state.resample_from_infostate(seat, rng.random)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert len(other.legal_actions()) == len(state.legal_actions())
        state.apply_action(rng.choice(state.legal_actions()))


def test_an_illegal_action_is_refused():
    state = load_game("champions").new_initial_state()
    with pytest.raises(ValueError, match="not a legal action"):
        state.apply_action(255)


def test_actions_have_words():
    state = load_game("champions").new_initial_state()
    words = [state.action_to_string(0, action) for action in state.legal_actions()]
    assert len(set(words)) == len(words)
