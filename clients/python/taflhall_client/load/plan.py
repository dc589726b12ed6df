"""What a load consists of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from taflhall_client.tls import TLS

SHARED_OUT: Final = ("matches", "bot_matches", "watchers", "lobby_watchers")


@dataclass(frozen=True, slots=True)
class Plan:
    """A load on the servers at *address*; times are in seconds."""

    address: str
    tls: TLS | None = None
    api_key: str | None = field(default=None, repr=False)
    """The API key of the account that creates and joins matches."""
    game: str = "ice_garden"
    seats: int = 2
    matches: int = 20
    """Matches that people play at any time; one that ends is followed by another."""
    think: float = 5.0
    """The mean of a person's think time, which is drawn from an exponential distribution."""
    bot_matches: int = 0
    """Matches that a bot plays over ``Play``, all seats of it."""
    bot_think: float = 0.1
    """How long a bot thinks about a decision."""
    watchers: int = 0
    """Spectators, spread over the matches of people."""
    lobby_watchers: int = 0
    """Those who have the lobby open: each watches it, and lists matches now and then."""
    storm_every: float = 0.0
    """Seconds after which all streams are cut at once, to resume; 0: never."""
    warm_up: float = 5.0
    """The matches begin spread over this time; nothing is measured in it."""
    duration: float = 30.0
    """How long is measured."""
    interval: float = 10.0
    """How often the figures so far are reported."""
    seed: int = 0

    def shares(self, processes: int) -> list[Plan]:
        """Return the parts of this load, one for each of *processes* generator processes."""
        return [
            replace(
                self,
                seed=self.seed + 1000 * part,
                **{name: (getattr(self, name) + part) // processes for name in SHARED_OUT},
            )
            for part in range(processes)
        ]

    @property
    def commands_per_second(self) -> float:
        """The commands of people that are due in a second, while every match waits for one."""
        return self.matches / self.think
