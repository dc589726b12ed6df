"""A tournament as it is stored: its description, its entrants, and the results of its matches."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from taflhall_engine import registry
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import SnapshotError, load
from taflhall_service.app.errors import RulesTooNew
from taflhall_service.app.model.clocks import TimeControl

NAMESPACE: Final = "tournaments"
"""The namespace of all tournaments, by id."""

PROGRESS: Final = "tournament-progress"
"""The namespace of what changes with the matches of each tournament, by its id."""

OPEN: Final = 1
PLAYING: Final = 2
FINISHED: Final = 3
CANCELLED: Final = 4
ENDED: Final = (FINISHED, CANCELLED)

ROUND_ROBIN: Final = 1
SWISS: Final = 2
KNOCKOUT: Final = 3
GAUNTLET: Final = 4
FREE_FOR_ALL: Final = 5
FORMATS: Final = {
    ROUND_ROBIN: "round_robin",
    SWISS: "swiss",
    KNOCKOUT: "knockout",
    GAUNTLET: "gauntlet",
    FREE_FOR_ALL: "free_for_all",
}
"""By number, the names of the formats in :mod:`taflhall_engine.pairing`."""
COOPERATIVE_FORMATS: Final = (ROUND_ROBIN, SWISS)
"""The formats of a cooperative game, in which entrants do not meet."""

MAX_ENTRANTS: Final = 64
MAX_ROUNDS: Final = 100
MAX_MATCHES: Final = 5_000
"""No tournament has more matches."""
MAX_AT_ONCE: Final = 16
"""Matches of one entrant that are under way at once."""
MAX_TRIES: Final = 3
"""How often a match is started, the first time included, before it ends without a result."""


def results_namespace(tournament_id: str) -> str:
    """Return the namespace of a tournament's results, by the index of the match."""
    return f"tournament.{tournament_id}"


class Entrant(msgspec.Struct, frozen=True, array_like=True):
    """An account that takes part."""

    account: str
    name: str
    kind: int
    """The kind of its seats: a person or a program."""
    withdrawn: bool = False


class Tournament(msgspec.Struct, frozen=True, array_like=True):
    """A tournament. Its results are kept apart, so that this changes seldom."""

    id: str
    fingerprint: bytes
    """Distinguishes the request that created it from another one with the same id."""
    name: str
    game: str
    setup: Any
    seats: int
    """How many seats a match has."""
    format: int
    rounds: int
    at_once: int
    """How many matches of one entrant are under way at once."""
    time_control: TimeControl
    max_entrants: int
    creator: str
    """The account that created it."""
    created_ms: int
    status: int = OPEN
    entrants: tuple[Entrant, ...] = ()
    """In the order of entry."""
    started_ms: int = 0
    ended_ms: int = 0

    @property
    def rules(self) -> Game:
        """The game, or raise ``RulesTooNew`` if it is not played here."""
        try:
            return registry.game(self.game)
        except registry.UnknownGame:
            raise RulesTooNew(match_id=self.id) from None

    @property
    def group(self) -> int:
        """How many entrants play a match."""
        return 1 if self.rules.cooperative else self.seats

    def laid_out(self) -> Any:
        """Return the setup of its matches, or raise ``RulesTooNew``."""
        game = self.rules
        try:
            return load(self.setup, {game.setup_kind.__name__: game.setup_kind, **game.types})
        except SnapshotError:
            raise RulesTooNew(match_id=self.id) from None

    def entrant(self, account: str) -> Entrant | None:
        """Return the entrant with that account, ``None`` if it has not entered."""
        return next((each for each in self.entrants if each.account == account), None)

    @property
    def withdrawn(self) -> frozenset[str]:
        """The accounts that have withdrawn."""
        return frozenset(each.account for each in self.entrants if each.withdrawn)


class MatchResult(msgspec.Struct, frozen=True, array_like=True):
    """How a match of a tournament ended."""

    match_id: str
    """Empty: it was decided without a match."""
    places: tuple[int, ...]
    """By seat; empty if it was abandoned, and does not count."""
    won: tuple[bool, ...]
    scores: tuple[int, ...]
    """By seat; empty in a game without points, and without a match."""


class Progress(msgspec.Struct, frozen=True):
    """How far the matches of a tournament are."""

    results: dict[int, MatchResult]
    """By the index of the match."""
    set_aside: dict[int, int]
    """By the index of the match, how often it was set aside to be played again."""


pack: Final = msgspec.msgpack.Encoder().encode
unpack: Final = msgspec.msgpack.Decoder(Tournament).decode
unpack_result: Final = msgspec.msgpack.Decoder(MatchResult).decode
