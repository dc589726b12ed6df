"""A game as an AEC environment of PettingZoo (extra ``pettingzoo``).

::

    environment = env("champions", {"seats": 3})
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        mask = observation["action_mask"]
        over = terminated or truncated
        environment.step(None if over else environment.action_space(agent).sample(mask))

The spaces are the same for all agents of a game, whatever the number of seats: an action is the
index of an option, ``action_mask`` says which there are, ``options`` describes each in a row, and
``observation`` is the agent's view (:mod:`.encoding`). Rewards come with the end, from -1 to 1.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from taflhall_client.adapters.encoding import LARGEST, Encoder, mask_of
from taflhall_client.adapters.stepping import Stepping
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import MAX_OPTIONS, SPECTATOR

MAX_PLIES: Final = 100_000
"""A longer match is truncated."""


def env(
    game: str,
    setup: Mapping[str, Any] | None = None,
    *,
    max_plies: int = MAX_PLIES,
    encoder: Encoder | None = None,
) -> AECEnv:
    """Return an environment in which an illegal action ends the match with the reward -1."""
    raw = BoardGame(game, setup, max_plies=max_plies, encoder=encoder)
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


class BoardGame(AECEnv):
    """The environment; *setup* is in the words of ``--setup``. An illegal action raises."""

    def __init__(
        self,
        game: str,
        setup: Mapping[str, Any] | None = None,
        *,
        max_plies: int = MAX_PLIES,
        encoder: Encoder | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = "ansi"
        self._game: Final = registry.game(game)
        self.metadata: dict[str, Any] = {
            "name": f"{game}_v{self._game.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self._setup: Final = setups.from_data(self._game, setup or {})
        self._max_plies: Final = max_plies
        self._encoder: Final = encoder or Encoder()
        self._match = Stepping.begin(self._game, self._setup, 0)
        self.possible_agents = [f"seat_{seat}" for seat in range(self._match.seats)]
        rows = (MAX_OPTIONS, self._encoder.option_size)
        self._observations: Final = {
            agent: spaces.Dict(
                {
                    "observation": _box((self._encoder.view_size,)),
                    "options": _box(rows),
                    "action_mask": spaces.Box(0, 1, (MAX_OPTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions: Final = {
            agent: spaces.Discrete(MAX_OPTIONS) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same *seed* gives the same cards and dice."""
        chosen = secrets.randbits(48) if seed is None else seed
        self._match = Stepping.begin(self._game, self._setup, chosen)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._match.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what *agent* may know; its mask is empty unless it decides."""
        seat = self.possible_agents.index(agent)
        rows = np.zeros((MAX_OPTIONS, self._encoder.option_size), np.float32)
        offered: list[object] = []
        if seat == self._match.seat:
            decision = self._match.decision()
            offered = list(decision.options)
            rows[: len(offered)] = self._encoder.options(decision)
        return {
            "observation": self._encoder.view(self._match.view(seat)),
            "options": rows,
            "action_mask": mask_of(offered),
        }

    def step(self, action: int | None) -> None:
        """Take the option with that index; raise ``ValueError`` if none has it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        offered = self._match.decision().options
        if action is None or not 0 <= action < len(offered):
            raise ValueError(f"action is from 0 to {len(offered) - 1}, not {action}")
        self._match.take(offered[action])
        self._clear_rewards()
        gained = self._match.returns()
        if gained is not None:
            self.rewards = dict(zip(self.possible_agents, gained, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._match.plies >= self._max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        if self._match.seat >= 0:
            self.agent_selection = self.possible_agents[self._match.seat]
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the table as a spectator sees it, as text."""
        return repr(self._match.view(SPECTATOR).public)

    def close(self) -> None:
        """There is nothing to close."""


def _box(shape: tuple[int, ...]) -> spaces.Box:
    return spaces.Box(-LARGEST, LARGEST, shape, np.float32)
