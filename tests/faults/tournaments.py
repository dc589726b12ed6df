"""The promises of tournaments, proved: ``python -m tests.faults.tournaments``.

*hostile*: 20 bots, 10 of which break the rules in every way there is, play 10,000 matches. None
hangs, none is lost, each fault is the offender's, and all totals reconcile.

*killed*: the process of a tournament of 20 bots is killed 50 times, and its standings are those of
the same tournament that was not killed.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

from taflhall_client.tournament.description import Tournament, read
from taflhall_client.tournament.journal import RESULTS, read_results
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.run import run
from taflhall_client.tournament.schedule import known
from taflhall_client.tournament.standings import counted, standings
from taflhall_client.tournament.verify import differences
from tests.benchmarks.report import write_section

MATCHES: Final = 10_000
KILLS: Final = 50
BOTS: Final = 20
HOSTILE: Final = "tests.clients.python.tournament.hostile"
PROGRAM: Final = Path(__file__).parents[1] / "clients/python/tournament/line_bot.py"
OFFENDERS: Final = (
    f"{HOSTILE}:Illegal",
    f"{HOSTILE}:Raises",
    f"{HOSTILE}:Stubborn",
    f"{HOSTILE}:Exits",
    f"{HOSTILE}:Kills",
    f"{HOSTILE}:Unborn",
    f"{sys.executable} -S {PROGRAM} babbles",
    f"{sys.executable} -S {PROGRAM} dies",
    f"{sys.executable} -S {PROGRAM} silent",
    f"{sys.executable} -S {PROGRAM} wrong",
)
SECONDS: Final = 0.25
"""Time for a decision: those who fall silent hold their matches up for as long."""


def described(
    folder: Path, rounds: int, *bots: str, head: str = "", game: str = "champions"
) -> Path:
    """Write the description of a round robin of *bots*; return its file."""
    lines = [f'game = "{game}"', "seats = 2", f"rounds = {rounds}", head]
    for number, bot in enumerate(bots):
        key = "command" if " " in bot else "bot"
        lines += ["[[entrants]]", f'name = "{number:02}"', f'{key} = "{bot}"']
    file = folder / "cup.toml"
    file.write_text("\n".join(lines), "utf-8")
    return file


def hostile(
    folder: Path, rounds: int, bots: int = BOTS, seconds: float = SECONDS
) -> tuple[str, list[str]]:
    """Let *bots*, half of them hostile, play; return what happened, and each broken promise."""
    limits = {"decision_seconds": seconds, "grace_seconds": seconds}
    head = "\n".join(["[limits]", *[f"{name} = {value}" for name, value in limits.items()]])
    players = [*["random"] * (bots - bots // 2), *OFFENDERS[: bots // 2]]
    file = described(folder, rounds, *players, head=head)
    tournament, out = read(file), folder / "hostile"
    began = time.monotonic()
    run(tournament, file, out, os.cpu_count() or 1)
    taken = time.monotonic() - began
    found = read_results(out)
    broken = unreconciled(tournament, found, out)
    guilty = {f"{number:02}" for number, bot in enumerate(players) if bot in OFFENDERS}
    faults = Counter(fault.kind for result in found for fault in result.faults)
    for result in counted(found):
        offenders = {fault.entrant for fault in result.faults}
        if not offenders <= guilty:
            broken.append(f"{result.match_id}: {offenders} is blamed")
        if len(guilty & set(result.entrants)) == 1 and offenders != guilty & set(result.entrants):
            broken.append(f"{result.match_id}: the offender goes free")
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(faults.items()))
    aside = len(found) - len(counted(found))
    lost = len(known(tournament, {})) - len(counted(found))
    text = (
        f"{len(counted(found)):,} matches with {len(guilty)} hostile bots among {bots} in "
        f"{taken:,.0f} s: 0 hung, {lost} lost, {aside} set aside and replayed; "
        f"penalties: {kinds}."
    )
    return text, broken


def unreconciled(tournament: Tournament, found: list[MatchResult], out: Path) -> list[str]:
    """Return what does not add up in the results of a tournament that is over."""
    played = counted(found)
    broken = []
    if [r.match_id for r in played] != [p.match_id for p in known(tournament, {})]:
        broken.append("the matches are not those of the schedule")
    lines = standings(tournament, found)
    if sum(line.matches for line in lines) != 2 * len(played):
        broken.append("the matches of the entrants do not add up")
    if abs(sum(line.points for line in lines) - len(played)) > 1e-6:
        broken.append("the points of the entrants do not add up")
    if sum(line.faults for line in lines) != sum(len(result.faults) for result in played):
        broken.append("the faults of the entrants do not add up")
    sample = played[:: max(1, len(played) // 200)]
    broken += [f"{name}: {wrong}" for name, wrong in differences(tournament, sample, out) if wrong]
    return broken


def killed(folder: Path, kills: int, bots: int = BOTS) -> tuple[str, list[str]]:
    """Kill a tournament again and again; return the same as :func:`hostile`."""
    file = described(folder, -(-kills * 5 // bots), *["random"] * bots, game="yggdrasil")
    tournament = read(file)
    run(tournament, file, folder / "whole", os.cpu_count() or 1)
    whole = standings(tournament, read_results(folder / "whole"))
    out = folder / "killed"
    command = [sys.executable, "-c", "from taflhall_client.cli import main; main()"]
    command += ["tournament", "run", str(file), "--out", str(out)]
    done = 0
    while True:
        before = lines_of(out)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and (lines_of(out) < before + 2 or done == kills):
            time.sleep(0.01)
        if process.poll() is not None:
            break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        done += 1
        with (out / RESULTS).open("ab") as torn:
            torn.write(b'{"match_id": "9.')
    found = read_results(out)
    broken = [] if standings(tournament, found) == whole else ["the standings differ"]
    if len({result.match_id for result in found}) != len(found):
        broken.append("a match was played twice")
    if done < kills:
        broken.append(f"it was over after {done} kills")
    end = "BROKEN" if broken else "the standings are those of a run that was not killed"
    text = (
        f"{len(found):,} matches of {bots} bots, killed {done} times (SIGKILL to all its "
        f"processes, and each time a torn line in its results): {end}."
    )
    return text, broken


def lines_of(out: Path) -> int:
    """Return how many results are in a folder."""
    file = out / RESULTS
    return file.read_bytes().count(b"\n") if file.exists() else 0


def main() -> int:
    """Prove both, report, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.tournaments", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--no-report", action="store_true", help="leave docs/ as they are")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        texts, broken = [], list[str]()
        for text, wrong in (
            hostile(Path(folder), -(-given.matches // (BOTS * (BOTS - 1)))),
            killed(Path(folder), given.kills),
        ):
            print(text, flush=True)
            texts.append(f"* {text}")
            broken += wrong
    for line in broken:
        print(f"broken: {line}")
    if not given.no_report:
        command = "make prove-tournaments"
        write_section("faults:tournaments", "Tournaments under faults", command, "\n".join(texts))
    print(f"{len(broken)} promises broken" if broken else "proved")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
