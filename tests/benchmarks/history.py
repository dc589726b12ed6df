"""What a match costs after it was played: an earlier table, and its record in the archive."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from taflhall_engine import registry
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import steps_of
from taflhall_service.app.jobs.archiver import SHARE, SHARE_BEHIND, Archiver, ArchiveResult
from taflhall_service.app.matches.past import match_at
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.model.clocks import Moment
from taflhall_service.store.archive.folder import FolderArchive
from tests.benchmarks.report import figure, table, write_section
from tests.engine.every_game import walk
from tests.service.local_server import LocalServer, open_server
from tests.service.test_past import LONG, prolonged, put

GOAL: Final = 1.15
"""A view at revision 4,000 may cost so much more than one at revision 100."""

MATCHES: Final = 8
"""Matches of each game that are archived."""

REMARK: Final = """\
The archiver takes the smaller share, and the larger one while more than 50 matches wait. What a
command costs to play is in the section "To archive and to play": a process archives with a quarter
of its time as fast as it plays by `Play` in the others.
"""


async def views() -> dict[int, float]:
    """Return how many milliseconds of CPU a view takes around a revision."""
    async with open_server() as server:
        played = await server.one_person("ice_garden", 4)
        match = await prolonged(server, played.id, LONG, played=96)
        found = {}
        for first in (100, LONG // 2, LONG - 64):
            start = time.process_time()
            for _ in range(5):
                for revision in range(first, first + 64):
                    await match_at(server.store, match, revision)
            found[first] = (time.process_time() - start) / (5 * 64) * 1000
        return found


async def archiving(game: str) -> float:
    """Return how many milliseconds of CPU the archive takes for a command of *game*."""
    commands = 0
    async with open_server() as server:
        ids = []
        for seed in range(MATCHES):
            played = await server.one_person(game, registry.game(game).max_seats)
            commands += await _play(server, played.id, seed)
            ids.append(played.id)
        with tempfile.TemporaryDirectory() as folder:
            archive = FolderArchive(Path(folder))
            archiver = Archiver(server.store, archive, 3600.0, lambda _: None, share=1.0)
            start = time.process_time()
            for match_id in ids:
                assert await archiver.keep(match_id) is ArchiveResult.KEPT
            return (time.process_time() - start) / commands * 1000


async def _play(server: LocalServer, match_id: str, seed: int) -> int:
    """Play a match to its end; return the number of its commands."""
    match, rng = await server.matches.current(match_id), FastChance(seed)
    update = TableUpdate(match, Moment(match.origin.created_ms))
    while update.match().pending:
        now: Any = update.match().table
        seat, given = walk.whole_answer(now.copy(), rng)
        for step in steps_of(given):
            update.answer(seat, step)
    await put(server, match_id, update)
    return update.revision


def main() -> bool:
    """Measure, print and write down both; return whether views cost the same everywhere."""
    seen = asyncio.run(views())
    rows = [[f"view near revision {first:,} (ms)", figure(ms)] for first, ms in seen.items()]
    for game in registry.GAMES:
        ms = asyncio.run(archiving(game))
        rows.append([f"archive, a command of {game} (ms)", figure(ms)])
        for share in (SHARE, SHARE_BEHIND):
            rows.append(
                [f"archived with {share:.0%} of a process (commands/s)", figure(share / ms * 1000)]
            )
    text = table(["CPU of one process, engine as plain Python", ""], rows)
    text += f"\n\n{REMARK}"
    print(text)
    command = "python -m tests.benchmarks --only history"
    write_section("history", "Earlier tables and the archive", command, text)
    return seen[LONG - 64] <= GOAL * seen[100]
