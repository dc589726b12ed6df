"""Which matches a tournament asks for: a function of its description and the results so far.

A block is one deal (the same secret, so the same cards and dice as long as play is the same) played
once for each rotation of its entrants round the seats. Which groups meet in the blocks of a format
is in :mod:`taflhall_engine.pairing`, which the server uses too; two formats are here:

* ``ladder``: *rounds* blocks (0: without end), in waves; in each the entrants with fewest blocks
  meet those nearest to them in rating, so that everybody plays about as often;
* ``cooperative``: every entrant, as a team at all seats, against every scenario, *rounds* deals.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.results import MatchResult
from taflhall_engine import pairing
from taflhall_engine.pairing import Block, Blocks, Field


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played. The same tournament always gives the same one the same id."""

    match_id: str
    """Block and rotation, as ``12.0``."""
    block: int
    entrants: tuple[str, ...]
    """By seat."""
    scenario: str = ""


Results = Mapping[str, MatchResult]
"""The results so far, by the id of the match; a match that was set aside has none."""


class Schedule:
    """The matches of *tournament*, as far as *results*, which may grow, settle them."""

    def __init__(self, tournament: Tournament, results: Results) -> None:
        self.reached: Final[dict[str, int]] = {}
        """In a knock-out, by entrant, the last round from which it advanced."""
        self.byes: Final = Counter[str]()
        """In a Swiss tournament, by entrant, the byes that it has had."""
        self.over = False
        """No more matches will follow, whatever the results."""
        self._tournament: Final = tournament
        self._results: Final = results
        self._size: Final = 1 if tournament.format == "cooperative" else tournament.seats
        self._blocks: Final = self._format()

    def more(self) -> list[Pairing]:
        """Return the matches that are settled by now and were not before, in order."""
        found: list[Pairing] = []
        for block in self._blocks:
            if block is None:
                return sorted(found, key=order)
            found += self._matches(block)
        self.over = True
        return sorted(found, key=order)

    def _format(self) -> Blocks:
        tournament = self._tournament
        entered = Field(
            [entrant.name for entrant in tournament.entrants],
            self._size,
            tournament.rounds,
            f"{tournament.seed}",
            {entrant.name: entrant.team for entrant in tournament.entrants if entrant.team},
        )
        match tournament.format:
            case "round_robin":
                return pairing.round_robin(entered)
            case "gauntlet":
                return pairing.gauntlet(entered)
            case "free_for_all":
                return pairing.free_for_all(entered)
            case "swiss":
                return pairing.swiss(entered, self._scores, self.byes)
            case "knockout":
                return pairing.knockout(entered, self._scores, self.reached)
            case "ladder":
                return self._ladder(entered)
            case _:
                return self._cooperative(entered)

    def _matches(self, block: Block) -> Iterator[Pairing]:
        tournament, group = self._tournament, block.group
        if tournament.format == "cooperative":
            turn = block.number % len(tournament.entrants)
            deal = block.number // len(tournament.entrants)
            scenario = tournament.scenarios[deal % len(tournament.scenarios)].name
            yield Pairing(f"{deal}.{turn}", deal, group * tournament.seats, scenario)
            return
        for turn in range(len(group)):
            rotated = (*group[turn:], *group[:turn])
            yield Pairing(f"{block.number}.{turn}", block.number, rotated)

    def _block_results(self, number: int) -> list[MatchResult] | None:
        """Return the results of a block, ``None`` while one is missing."""
        found = [self._results.get(f"{number}.{turn}") for turn in range(self._size)]
        known = [result for result in found if result is not None]
        return known if len(known) == len(found) else None

    def _scores(self, block: Block) -> dict[str, float] | None:
        results = self._block_results(block.number)
        if results is None:
            return None
        scores: dict[str, float] = defaultdict(float)
        for result in results:
            outcome = result.outcome(block.number)
            for name in result.entrants:
                scores[name] += outcome.score(name) / len(results)
        return scores

    def _ladder(self, entered: Field) -> Blocks:
        from taflhall_client.rating.live import LiveRatings

        ratings = LiveRatings()
        played: Counter[str] = Counter()
        met: Counter[frozenset[str]] = Counter()
        number = wave = 0
        while entered.rounds == 0 or number < entered.rounds:
            wave += 1
            waiting = sorted(
                entered.names, key=lambda name: (played[name], entered.lot(wave, name))
            )
            first = number
            while len(waiting) >= entered.size and number != (entered.rounds or -1):
                head = waiting[0]
                own = ratings.rating(head).mu

                def distance(name: str, head: str = head, own: float = own) -> float:
                    return abs(ratings.rating(name).mu - own) + 2.0 * met[frozenset((head, name))]

                group = (head, *sorted(waiting[1:], key=distance)[: entered.size - 1])
                waiting = [name for name in waiting if name not in group]
                played.update(group)
                met.update(frozenset(pair) for pair in combinations(group, 2))
                yield Block(number, wave, group)
                number += 1
            for block in range(first, number):
                while (results := self._block_results(block)) is None:
                    yield None
                for result in results:
                    ratings.add(result.outcome(block))

    def _cooperative(self, entered: Field) -> Blocks:
        scenarios = len(self._tournament.scenarios)
        for number in range(entered.rounds * scenarios * len(entered.names)):
            name = entered.names[number % len(entered.names)]
            turn = number // (scenarios * len(entered.names)) + 1
            yield Block(number, turn, (name,))


def order(match: Pairing | MatchResult) -> tuple[int, ...]:
    """Return the sort key of the order of the schedule."""
    return tuple(map(int, match.match_id.split(".")))


def known(tournament: Tournament, results: Results) -> list[Pairing]:
    """Return all matches that are settled by now, played or not, in order."""
    return Schedule(tournament, results).more()


def pending(tournament: Tournament, results: Results) -> list[Pairing]:
    """Return the matches that can be played now, in order; empty when the tournament is over."""
    return [p for p in known(tournament, results) if p.match_id not in results]


def secret(tournament: Tournament, block: int) -> bytes:
    """Return the secret of the random numbers of every match of *block*."""
    return hashlib.sha256(f"{tournament.seed}/{tournament.name}/{block}".encode()).digest()


def bot_seed(tournament: Tournament, pairing: Pairing, seat: int) -> int:
    """Return the seed of the bot at *seat*."""
    text = f"{tournament.seed}/{tournament.name}/{pairing.match_id}/{seat}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "big")
