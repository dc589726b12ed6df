"""The hunts: scenarios made short, and whether they find what was planted."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.faults.control.children import Children
from tests.faults.control.disk import disk_folder
from tests.faults.cut_streams import cut_streams
from tests.faults.fuzz.volume import volume
from tests.faults.leaks.pairs import pairs
from tests.faults.scenarios.clocks import clocks
from tests.faults.scenarios.draining import drain
from tests.faults.scenarios.hints import calm, without_hints
from tests.faults.scenarios.jumps import jumps
from tests.faults.scenarios.kills import kills
from tests.faults.scenarios.rewind import rewind
from tests.faults.scenarios.stores import stores
from tests.faults.scenarios.terms import terms
from tests.faults.scenarios.verdict import Verdict
from tests.faults.seeded import SEEDS, Seed, plant

SECONDS: Final = 120.0
"""No hunt takes longer."""

MAX_ATTEMPTS: Final = 5
"""How often a planted fault is hunted for: some show only by chance."""

SHORT: Final[dict[str, Any]] = {
    "tables": 4,
    "watchers": 3,
    "longest": 12,
    "catch_up": 3.0,
    "patience": 6.0,
}


async def hunt(seed: Seed) -> tuple[bool, Verdict]:
    """Plant *seed* and look for it; return whether the promise was found broken."""
    if seed.hunt in INSIDE:
        verdict = await _inside(seed)
    else:
        async with asyncio.timeout(SECONDS):
            verdict = await OUTSIDE[seed.hunt]({"fault": seed.name})
    return caught(seed, verdict), verdict


async def hunt_again(seed: Seed) -> tuple[bool, Verdict]:
    """Hunt for *seed* until it is found, at most :data:`MAX_ATTEMPTS` times."""
    seen = Verdict()
    for _ in range(MAX_ATTEMPTS):
        try:
            found, seen = await hunt(seed)
        except TimeoutError:
            found, seen = False, Verdict(broken={"it ends": []})
        if found:
            return True, seen
    return False, seen


def caught(seed: Seed, verdict: Verdict) -> bool:
    """Return whether a promise is broken that *seed* is expected to break."""
    return any(
        promise.startswith(wanted)
        for promise in verdict.broken
        for wanted in seed.breaks.split("|")
    )


Outside = Callable[[dict[str, Any]], Awaitable[Verdict]]

OUTSIDE: Final[dict[str, Outside]] = {
    "calm": lambda rig: calm(2.5, 150, rig=rig, **SHORT),
    "kills": lambda rig: kills(4.0, rig=rig, share=0.2, servers=2, **SHORT),
    "hints": lambda rig: without_hints(1.5, rig=rig, **SHORT),
    "rewind": lambda rig: rewind(2, rig=rig),
    "drain": lambda rig: drain(rig=rig, tables=6, watchers=5),
    "stores": lambda rig: stores(rig=rig),
    "clocks": lambda rig: clocks(6.0, servers=2, rig=rig),
    "jumps": lambda rig: jumps(5.0, rig=rig),
}
"""Hunts with servers of their own, in which the fault is planted."""

INSIDE: Final[dict[str, Callable[[], Awaitable[Verdict]]]] = {
    "fuzz": lambda: volume(40_000, 7, seconds=100),
    "leaks": lambda: pairs("yggdrasil", 24, seed=2),
    "leaks of Champions": lambda: pairs("champions", 60, seed=1),
    "terms": lambda: terms(150, seed=1),
    "cut streams": lambda: cut_streams(4_000, seed=1),
}
"""Hunts inside one process, which is forked for it and has the fault planted."""


async def _inside(seed: Seed) -> Verdict:
    children, folder = Children(), disk_folder()
    try:
        log = folder / "hunt.log"
        child = children.run("tests.faults.seeded.hunts:inside", [seed.name], log, {})
        if not await child.ended(SECONDS):
            raise TimeoutError(seed.name)
        lines = [x for x in log.read_text("utf-8").splitlines() if x.startswith('{"broken"')]
        if not lines:
            return Verdict(broken={"the hunt itself": [log.read_text("utf-8")[-500:]]})
        return Verdict(broken=json.loads(lines[-1])["broken"])
    finally:
        children.close()
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def inside() -> None:
    """Plant the fault named on the command line in this process, hunt, and print what broke."""
    seed = SEEDS()[sys.argv[1]]
    plant(seed.name)
    work: Any = INSIDE[seed.hunt]()
    verdict: Verdict = asyncio.run(work)
    os.write(1, b"\n" + json.dumps({"broken": verdict.broken}).encode() + b"\n")


def main() -> None:
    """Hunt for the faults named on the command line, or all; say which were found."""
    names = sys.argv[1:] or list(SEEDS())
    for name in names:
        seed = SEEDS()[name]
        try:
            found, verdict = asyncio.run(hunt(seed))
            outcome = ", ".join(verdict.broken) or "nothing"
        except Exception as error:
            found, outcome = False, f"{type(error).__name__}: {error}"
        print("found " if found else "MISSED", name, "-", outcome, flush=True)


if __name__ == "__main__":
    main()
