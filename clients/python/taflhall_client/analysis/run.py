"""The analysis of a record, in several processes if wanted."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from taflhall_client.analysis.match import Effort, JudgedDecision, analyse, pending
from taflhall_client.bots.knowledge import knowledge_of
from taflhall_engine.kernel.replay import Replay, replay
from taflhall_engine.registry import game

PARTS_EACH = 8
"""Parts of the work for each process, so that none waits long for the others."""


def run(
    found: Replay,
    record: Any,
    data: Path | None,
    effort: Effort,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,  # noqa: ARG005
) -> list[JudgedDecision]:
    """Return the judgement of each searched decision of *record*, whose replay is *found*.

    *data* is the folder of component data that it was played with. The number of *jobs* changes
    nothing but the time.
    """
    total = sum(1 for _ in pending(found, knowledge_of(found.game)))
    decisions: list[JudgedDecision] = []
    if jobs == 1:
        for decision in analyse(found, effort, seed):
            decisions.append(decision)
            progress(len(decisions), total)
        return decisions
    parts = jobs * PARTS_EACH
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context) as pool:
        work = [
            pool.submit(_part, found.game.id, data, record, effort, seed, part, parts)
            for part in range(parts)
        ]
        for done in as_completed(work):
            decisions += done.result()
            progress(len(decisions), total)
    return sorted(decisions, key=lambda decision: decision.revision)


def _part(
    game_id: str, data: Path | None, record: Any, effort: Effort, seed: int, part: int, parts: int
) -> list[JudgedDecision]:
    found = replay(game(game_id, data), record)
    return list(analyse(found, effort, seed, part=part, parts=parts))
