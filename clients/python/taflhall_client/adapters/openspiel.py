"""Games and states with the methods of OpenSpiel's Python interface, without OpenSpiel.

Its algorithms in Python take them: ``tests/clients/python/adapters/test_openspiel_wheel.py`` runs
its own checks, searches and evaluations where it is installed. Chance is sampled inside
(OpenSpiel's ``SAMPLED_STOCHASTIC``), so there are no chance nodes; where several seats decide at
once, one is asked after the other, and none sees what another has chosen.

::

    game = load_game("ice_garden", {"seats": 2})
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    print(state.returns())
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from taflhall_client.adapters.encoding import Encoder, Mask, mask_of
from taflhall_client.adapters.stepping import Stepping
from taflhall_client.tournament.line_protocol import plain
from taflhall_engine import registry
from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import MAX_OPTIONS
from taflhall_engine.kernel.chance import FastChance

TERMINAL: Final = -4
"""``pyspiel.PlayerId.TERMINAL``."""
MAX_PLIES: Final = 100_000


def load_game(name: str, setup: Mapping[str, Any] | None = None) -> SpielGame:
    """Return a game; *setup* is in the words of ``--setup``."""
    return SpielGame(name, setup)


class SpielGame:
    """A game with its setup."""

    def __init__(self, name: str, setup: Mapping[str, Any] | None = None) -> None:
        self.rules: Final = registry.game(name)
        self.setup: Final = setups.from_data(self.rules, setup or {})
        self.encoder: Final = Encoder()
        self._seats: Final = Stepping.begin(self.rules, self.setup, 0).seats

    def num_players(self) -> int:
        """Return the number of seats."""
        return self._seats

    def num_distinct_actions(self) -> int:
        """Return how many actions there may be: indexes of options."""
        return MAX_OPTIONS

    def max_game_length(self) -> int:
        """Return how many actions a match has at most."""
        return MAX_PLIES

    def min_utility(self) -> float:
        """Return the least that a seat can gain."""
        return -1.0

    def max_utility(self) -> float:
        """Return the most that a seat can gain."""
        return 1.0

    def observation_tensor_shape(self) -> list[int]:
        """Return the shape of an observation."""
        return [self.encoder.view_size]

    def observation_tensor_size(self) -> int:
        """Return the length of an observation."""
        return self.encoder.view_size

    def max_chance_outcomes(self) -> int:
        """Return 0: there are no chance nodes."""
        return 0

    def get_type(self) -> Any:
        """Return the ``pyspiel.GameType``; it needs OpenSpiel (``pip install open_spiel``)."""
        pyspiel = import_module("pyspiel")
        kind = pyspiel.GameType
        shared = kind.Utility.IDENTICAL if self.rules.cooperative else kind.Utility.GENERAL_SUM
        return kind(
            short_name=f"taflhall_{self.rules.id}",
            long_name=self.rules.title,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=kind.ChanceMode.SAMPLED_STOCHASTIC,
            information=kind.Information.IMPERFECT_INFORMATION,
            utility=shared,
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=self._seats,
            min_num_players=self._seats,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=False,
        )

    def new_initial_states(self) -> list[SpielState]:
        """Return the one beginning of a match."""
        return [self.new_initial_state()]

    def new_initial_state(self, seed: int = 0) -> SpielState:
        """Return the beginning of a match; *seed* decides cards and dice."""
        return SpielState(self, Stepping.begin(self.rules, self.setup, seed), [])


class SpielState:
    """A position of a match."""

    def __init__(self, game: SpielGame, match: Stepping, history: list[int]) -> None:
        self._game: Final = game
        self._match: Final = match
        self._history: Final = history

    def get_game(self) -> SpielGame:
        """Return the game."""
        return self._game

    def current_player(self) -> int:
        """Return the seat that decides, or :data:`TERMINAL`."""
        return TERMINAL if self.is_terminal() else self._match.seat

    def is_chance_node(self) -> bool:
        """Return ``False``: chance is sampled inside."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Return ``False``: where several seats decide, one is asked after the other."""
        return False

    def is_mean_field_node(self) -> bool:
        """Return ``False``."""
        return False

    def is_player_node(self) -> bool:
        """Return whether a seat decides."""
        return not self.is_terminal()

    def is_initial_state(self) -> bool:
        """Return whether nothing has been done yet."""
        return not self._history

    def num_players(self) -> int:
        """Return the number of seats."""
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        """Return how many actions there may be."""
        return self._game.num_distinct_actions()

    def move_number(self) -> int:
        """Return how many actions have been taken."""
        return len(self._history)

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._match.seat < 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the actions of *player*: none unless it decides."""
        if self.is_terminal() or player not in (None, self._match.seat):
            return []
        return list(range(len(self._match.decision().options)))

    def legal_actions_mask(self, player: int | None = None) -> Mask:
        """Return the same as ones and zeros."""
        return mask_of(self.legal_actions(player))

    def apply_action(self, action: int) -> None:
        """Take an action, or raise ``ValueError``."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not a legal action")
        self._match.take(self._match.decision().options[action])
        self._history.append(action)

    def child(self, action: int) -> SpielState:
        """Return a copy in which an action has been taken."""
        after = self.clone()
        after.apply_action(action)
        return after

    def action_to_string(self, player: int, action: int) -> str:
        """Return an action in the notation of records."""
        option = self._match.decision().options[action]
        return notation.write(option, self._game.rules.labels)

    def returns(self) -> list[float]:
        """Return what each seat has gained, -1 to 1; zeros before the end."""
        return self._match.returns() or [0.0] * self._game.num_players()

    def player_return(self, player: int) -> float:
        """Return what a seat has gained."""
        return self.returns()[player]

    def rewards(self) -> list[float]:
        """Return what the last action gained each seat: everything comes with the end."""
        return self.returns()

    def history(self) -> list[int]:
        """Return the actions so far."""
        return list(self._history)

    def observation_string(self, player: int | None = None) -> str:
        """Return what *player*, or the seat that decides, may know, as JSON."""
        view = self._match.view(self.current_player() if player is None else player)
        return json.dumps({"public": plain(view.public), "private": plain(view.private)})

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what *player*, or the seat that decides, may know, as numbers."""
        view = self._match.view(self.current_player() if player is None else player)
        found: list[float] = self._game.encoder.view(view).tolist()
        return found

    def clone(self) -> SpielState:
        """Return an independent copy with the same random numbers to come."""
        return SpielState(self._game, self._match.copy(), self.history())

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> SpielState:
        """Return a random state that *player* cannot tell from this one."""
        seed = int(probability_sampler() * (1 << 48))
        return SpielState(self._game, self._match.imagine(player, FastChance(seed)), self.history())

    def __str__(self) -> str:
        return " ".join(map(str, self._history))
