"""The long form of the rig: ``python -m tests.faults --minutes 30`` (``make prove``).

The last line is ``proved: ...`` with the number of trials behind every zero, and the exit status
0; or each broken promise is named, and the status is 1. The report goes to docs/measurements.md.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.benchmarks.report import write_section
from tests.faults.control.machine import Machine
from tests.faults.plan import demanded, lane
from tests.faults.scenarios.verdict import MEASURED, Verdict
from tests.faults.seeded import SEEDS

LANES = ("trouble", "volume", "hunts")


def main() -> int:
    """Run all lanes, report, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="how long (default: 30)")
    parser.add_argument("--seed", type=int, default=1, help="where all chance comes from")
    parser.add_argument("--no-report", action="store_true", help="leave docs/ as they are")
    given = parser.parse_args()
    seconds = given.minutes * 60
    verdict, machine = Verdict(), Machine()
    spawn = multiprocessing.get_context("spawn")
    end = time.monotonic() + seconds
    with ProcessPoolExecutor(len(LANES), mp_context=spawn) as pool:
        verdict.add(pool.submit(lane, "timed", seconds, given.seed).result())
        left = end - time.monotonic()
        lanes = [pool.submit(lane, name, left, given.seed) for name in LANES]
        for found in lanes:
            verdict.add(found.result())
    memory(verdict)
    print(verdict.summary())
    left_to_us = machine.share
    least = demanded(seconds, left_to_us)
    void = [
        f"{name} ({verdict.figures[name]:,} of {count:,})"
        for name, count in least.items()
        if verdict.figures[name] < count
    ]
    line = last_line(verdict, void)
    if not given.no_report:
        command = f"make prove MINUTES={given.minutes:g}"
        text = report(verdict, least, left_to_us, line)
        write_section("faults", "Promises under faults", command, text)
    print(line)
    return int(bool(verdict.broken or void))


def memory(verdict: Verdict) -> None:
    """Judge how much the fuzzed servers grew, if they were fuzzed long enough to judge (G14)."""
    figures = verdict.figures
    messages, grown = figures[AFTER], figures.pop("bytes grown after warming up", 0)
    if messages < ENOUGH_TO_TELL:
        return
    slope = grown * 1_000_000 / messages
    figures["KB grown for a million fuzzed messages"] = round(slope / 1024)
    if slope > MOST_GROWN:
        verdict.blame("G14 memory", f"{slope / 1e6:.1f} MB for a million messages")


def last_line(verdict: Verdict, void: list[str]) -> str:
    """Return the verdict in one line."""
    if verdict.broken:
        return "BROKEN: " + "; ".join(
            f"{promise} ({len(seen)} times)" for promise, seen in verdict.broken.items()
        )
    if void:
        return f"VOID: too little of {', '.join(void)}"
    f = verdict.figures
    return (
        f"proved: 0 lost, 0 doubled, 0 half written of {f['commands']:,} commands in "
        f"{f['attempts']:,} attempts over {f['kills of the store']:,} kills of the store, "
        f"{f['kills of a server']:,} of servers, {f['failovers']} failovers, "
        f"{f[CLUSTER]} kills in a cluster; "
        f"0 of {f['messages watched']:,} watched messages missing, twice, split or out of order "
        f"in {f['resumes']:,} resumes; "
        f"0 of {f['tokens resumed over a rewind']} tokens over a rewind followed in silence; "
        f"0 of {f['drains'] + f['replacements']} drains too long, the longest "
        f"{f['ms of the longest drain'] / 1000:.1f} s; "
        f"{f['watchers who came back']:,} watchers back in "
        f"{f['ms until the last was back'] / 1000:.1f} s; "
        f"0 INTERNAL or UNKNOWN in {f['fuzzed messages'] + f[SOCKET]:,} fuzzed messages; "
        f"0 leaks in {f['world pairs']:,} world pairs ({f['answers compared']:,} answers); "
        f"{f['planted faults found']} of {len(SEEDS())} planted faults hunted, all found"
    )


AFTER = "fuzzed messages after warming up"
ENOUGH_TO_TELL = 1_000_000
MOST_GROWN = 16 << 20
"""Bytes for a million messages. The heap takes long to settle, some MB in the first million; who
keeps only one small object for each message keeps more than this."""

CLUSTER = "kills of a cluster's node"
SOCKET = "fuzzed messages over a socket"


def report(verdict: Verdict, least: dict[str, int], machine: float, line: str) -> str:
    """Return the section for docs/measurements.md: what is demanded, and the worst of the rest."""
    figures = verdict.figures
    rows = ["| what | how many | demanded |", "|---|---:|---:|"]
    rows += [f"| {name} | {figures[name]:,} | {count:,} |" for name, count in least.items()]
    rows += [
        f"| {name} | {count:,} | |"
        for name, count in sorted(figures.items())
        if name not in least and name.startswith((*MEASURED, "runs of "))
    ]
    for promise, seen in verdict.broken.items():
        rows.append(f"| BROKEN: {promise} | {len(seen)} | 0 |")
    left = f"Other programs left {machine:.0%} of the machine to this run."
    return "\n".join([left, "", *rows, "", line])


if __name__ == "__main__":
    sys.exit(main())
