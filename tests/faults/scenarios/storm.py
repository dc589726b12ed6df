"""What the scenarios share: a crowd plays while something goes wrong, then all is checked."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from tests.faults.checkers import check
from tests.faults.checkers.linearizable import available, linearizable
from tests.faults.control.rig import Rig
from tests.faults.history import History
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.calls import Caller, Stubs
from tests.faults.traffic.crowd import Crowd
from tests.faults.traffic.watchers import resume_everywhere
from tests.faults.truth import Wanted, read_truths

KEEP: Final = os.environ.get("TAFLHALL_HISTORIES", "")
"""Where the histories of runs that broke a promise are kept; empty: in the temporary folder."""


class Storm:
    """A rig with a crowd on it and the history of both."""

    def __init__(self, rig: Rig, seed: int, **crowd: Any) -> None:
        self.rig: Final = rig
        self.rng: Final = random.Random(seed)
        self.path: Final = rig.folder / "history.jsonl"
        self.history: Final = History(self.path)
        self.stubs: Final = Stubs(rig.servers, self.rng)
        self.crowd: Final = Crowd(self.history, self.stubs, **crowd)

    async def truth_client(self) -> Any:
        """Return a client that reads everything; it is closed when the storm is over."""
        return self.rig.store.client()


Trouble = Callable[[Storm], Awaitable[None]]
"""What goes wrong; it returns when it has been put right again."""


async def storm(
    rig: Rig,
    trouble: Trouble,
    *,
    seed: int = 0,
    resumed_watchers: int = 2,
    client: Callable[[], Any] | None = None,
    **crowd: Any,
) -> Verdict:
    """Let a crowd play on *rig* while *trouble* is made; return what the checkers say."""
    run = Storm(rig, seed, **crowd)
    try:
        run.crowd.start()
        await trouble(run)
        await run.crowd.stop()
        await run.crowd.quiet()
        resumed = await _resume_some(run, resumed_watchers)
        store = client() if client is not None else rig.store.client()
        try:
            truths = await read_truths(store, Wanted.by(run.history))
        finally:
            await store.aclose()
        run.history.close()
        verdict = Verdict(broken=check(run.history, truths))
        stores, servers = rig.kills
        verdict.figures.update(
            {
                "kills of the store": stores,
                "kills of a server": servers,
                "commands": sum(truth.revision for truth in truths.values()),
                "requests": sum(player.settled for player in run.crowd.players),
                "attempts": sum(1 for _ in run.history.calls("SubmitAnswers")),
                "replays": _replays(run.history),
                "matches": len(truths),
                "finished matches": sum(truth.finished for truth in truths.values()),
                "messages watched": sum(line.kind == "message" for line in run.history.lines),
                "resumes": resumed + _resumes(run.history),
            }
        )
        if available():
            verdict.figures["matches linearizable by Porcupine"] = len(truths)
            for match in linearizable(run.history):
                verdict.blame("G1 linearizable", match)
        if verdict.broken:
            verdict.broken["history"] = [f"kept at {_keep(run)}"]
        return verdict
    finally:
        run.history.close()
        await run.stubs.close()


async def _resume_some(run: Storm, most: int) -> int:
    """Resume at every boundary of some watchers."""
    watchers = [watcher for watcher in run.crowd.watchers if len(watcher.tokens) > 1]
    boundaries = 0
    for watcher in run.rng.sample(watchers, min(most, len(watchers))):
        boundaries += await resume_everywhere(
            watcher, Caller(run.history, run.stubs, "resumer"), 40
        )
    return boundaries


def _replays(history: History) -> int:
    return sum(
        call.kind == "ok" and call.response["replayed"] for call in history.calls("SubmitAnswers")
    )


def _resumes(history: History) -> int:
    return sum(
        line.kind == "invoke" and line.what.get("start") is not None for line in history.lines
    )


def _keep(run: Storm) -> Path:
    """Copy the history, and what the servers said, to where they stay."""
    folder = Path(tempfile.mkdtemp(prefix="tafl-history-", dir=KEEP or None))
    shutil.copy(run.path, folder)
    (folder / "servers.log").write_text(run.rig.logs(), "utf-8")
    return folder
