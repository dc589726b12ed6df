"""Checks the records of a tournament against its results, with nothing but the engine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import order, secret
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.replay import RecordError, replay


def differences(
    tournament: Tournament, results: Iterable[MatchResult], out: Path
) -> Iterator[tuple[str, str]]:
    """Yield each match with a record, and what is wrong with it: empty if nothing is."""
    game = tournament.make_game()
    for result in results:
        if result.record:
            yield result.match_id, _difference(tournament, game, result, out)


def _difference(tournament: Tournament, game: Game, result: MatchResult, out: Path) -> str:
    try:
        raw = (out / result.record).read_bytes()
    except OSError as error:
        return f"its record cannot be read: {error.strerror}"
    if hashlib.sha256(raw).hexdigest() != result.record_sha256:
        return "its record is not the one that was written"
    try:
        found = replay(game, json.loads(raw))
    except (RecordError, ValueError) as error:
        return f"its record does not replay: {error}"
    block, _ = order(result)
    if found.secret != secret(tournament, block):
        return "its deal is not that of its block"
    if tuple(found.seats) != result.entrants:
        return "its record names others"
    if tuple(found.result.places) != result.places:
        return f"its record ends with places {found.result.places}"
    return ""
