"""The outcome of one match: who came before whom.

* **Ties.** Players of one tier share a place. A tie counts as the average of all orders of its
  players, so two tied players count as half a win each.
* **Partial play.** A player who resigned, ran out of time or was penalised has the place that the
  match result gives, which is below everybody who played on. Players who left are ordered by when
  they left.
* **Aborts.** A match without a result (abandoned, set aside because of a fault of the host) has no
  outcome: it is not rated.
* **Several seats.** A bot with several seats of one match has one place: that of its best seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The players of one match by place, and the block of matches that it belongs to."""

    tiers: tuple[tuple[str, ...], ...]
    """The players of each place, best first."""
    block: int = 0
    """Matches of one block share their deal (seats permuted); blocks are independent."""
    seats: tuple[str, ...] = ()
    """The players by seat, as far as known."""

    def __post_init__(self) -> None:
        players = self.players
        if not players or not all(self.tiers):
            raise ValueError("an outcome has at least one player in each tier")
        if len(set(players)) != len(players):
            raise ValueError(f"a player has two places: {', '.join(players)}")

    @property
    def players(self) -> tuple[str, ...]:
        """All players, best first."""
        return tuple(player for tier in self.tiers for player in tier)

    @property
    def rated(self) -> bool:
        """Whether the outcome compares anybody: it has at least two players."""
        return len(self.players) > 1

    def place(self, player: str) -> int:
        """Return the place of *player*, from 1; tied players share it."""
        place = 1
        for tier in self.tiers:
            if player in tier:
                return place
            place += len(tier)
        raise ValueError(f"{player} did not play")

    def score(self, player: str) -> float:
        """Return the share of the opponents that *player* beat, a tie as half: 0 to 1."""
        beaten = 0.0
        below = len(self.players)
        for tier in self.tiers:
            below -= len(tier)
            if player in tier:
                beaten = below + (len(tier) - 1) / 2
                break
        else:
            raise ValueError(f"{player} did not play")
        return beaten / max(1, len(self.players) - 1)

    @classmethod
    def of_places(cls, seats: Sequence[str], places: Sequence[int], block: int = 0) -> Outcome:
        """Return the outcome of a match whose seat *i* was held by ``seats[i]``."""
        if len(seats) != len(places):
            raise ValueError(f"{len(seats)} seats, but {len(places)} places")
        best: dict[str, int] = {}
        for player, place in zip(seats, places, strict=True):
            best[player] = min(place, best.get(player, place))
        tiers = {place: [p for p in best if best[p] == place] for place in best.values()}
        return cls(tuple(tuple(tiers[place]) for place in sorted(tiers)), block, tuple(seats))


def rated(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return the outcomes that compare at least two players."""
    return [outcome for outcome in outcomes if outcome.rated]
