"""Matches that are set aside by a fault of the host, and played again.

Nobody can see who sent a SIGKILL. But a match is played again with the same deal and the same
seeds: a bot that killed its process does so again, and others hardly do. So the first time the
match is set aside; the second time, while the same seat decided, it is that bot's crash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from taflhall_client.tournament import results
from taflhall_client.tournament.referee import forfeited
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing

TRIES: Final = 3
"""How often a match may be set aside before the host has failed."""


class HostFailed(Exception):
    """The same match had to be set aside again and again."""


class Replays:
    """What was set aside so far, and of whom it makes suspects."""

    def __init__(self) -> None:
        self._times: Final[Counter[str]] = Counter()
        self._suspects: Final[dict[str, int]] = {}

    def judge(self, result: MatchResult, pairing: Pairing) -> MatchResult:
        """Return *result*, or the forfeit of the seat that has killed its process once more."""
        before = self._suspects.pop(result.match_id, -1)
        if result.suspect < 0:
            return result
        if result.suspect != before:
            self._suspects[result.match_id] = result.suspect
            return result
        text = f"the bot killed its process, twice ({result.set_aside})"
        return forfeited(pairing, before, results.CRASH, text)

    def again(self, found: Iterable[MatchResult], pairings: Mapping[str, Pairing]) -> list[Pairing]:
        """Return those of *pairings*, by id, that *found* sets aside.

        Raise :exc:`HostFailed` if one was set aside :data:`TRIES` times.
        """
        aside = [result for result in found if result.set_aside]
        for result in aside:
            self._times[result.match_id] += 1
            if self._times[result.match_id] >= TRIES:
                raise HostFailed(
                    f"match {result.match_id} was set aside {TRIES} times, "
                    f"at last because: {result.set_aside}"
                )
        return [pairings[result.match_id] for result in aside]
