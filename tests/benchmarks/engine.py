"""The engine's speed, plain and compiled, compared with each other and with the yardstick."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from taflhall_engine import registry
from tests.benchmarks.report import figure, table, write_section

ROOT = Path(__file__).resolve().parents[2]
PLAIN = ROOT / ".venv" / "bin" / "python"
COMPILED = ROOT / ".venv-compiled" / "bin" / "python"

GOALS = {
    "in_yardsticks": 12.0,
    "copy": 2.0,
    "imagine": 12.0,
    "view": 8.0,
    "public_message": 60.0,
    "snapshot_bytes": 6 * 1024,
}
"""Of the compiled engine, in each game: the first at least, the others at most."""
RATIO = 3.5
"""How many times faster than the plain engine the compiled one has to be."""

ACTS = {
    "copy": "copy of a table, µs",
    "options": "option list, µs",
    "view": "view, µs",
    "imagine": "imagine, µs",
    "dump": "snapshot to JSON, µs",
    "load": "JSON to table, µs",
    "public_message": "message of the public view, µs",
    "private_message": "message of the private view, µs",
    "decision_message": "message of a decision, µs",
}


def main(games: list[str], rounds: int, seconds: float) -> bool:
    """Measure *games*, write the section, print it; return whether every goal was reached."""
    subprocess.run(["make", "--no-print-directory", "compiled"], cwd=ROOT, check=True)
    parts, missed = [], []
    for name in games:
        plain, compiled = measure(name, rounds, seconds)
        text, short = section(name, plain, compiled)
        print(f"\n{text}\n", flush=True)
        parts.append(text)
        missed += short
    if games == list(registry.GAMES):
        command = f"make bench ARGS='--only engine --rounds {rounds} --seconds {seconds:g}'"
        intro = INTRO.format(rounds=rounds, seconds=seconds)
        write_section("bench:engine", "Engine", command, "\n\n".join([intro, *parts]))
    for line in missed:
        print(f"goal missed: {line}")
    return not missed


INTRO = """\
Random playouts on one core, whole matches over all the usual setups of a game, option lists and
random choice included. Plain and compiled samples take turns; the yardstick
(`tests/benchmarks/yardstick.py`, always plain Python) runs just before and after each. The median
of {rounds} samples of {seconds:g} s is given; single acts are those of tables in mid-match."""


def measure(name: str, rounds: int, seconds: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the medians of *rounds* samples, plain and compiled, that took turns."""
    plain, compiled = [], []
    for _ in range(rounds):
        plain.append(sampled(PLAIN, name, seconds))
        compiled.append(sampled(COMPILED, name, seconds))
    assert not any(s["compiled"] for s in plain)
    assert all(s["compiled"] for s in compiled)
    return medians(plain), medians(compiled)


def sampled(python: Path, name: str, seconds: float) -> dict[str, Any]:
    command = [str(python), "-m", "tests.benchmarks.sample", name, str(seconds)]
    found = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    sample: dict[str, Any] = json.loads(found.stdout)
    print(".", end="", file=sys.stderr, flush=True)
    return sample


def medians(samples: list[dict[str, Any]]) -> dict[str, Any]:
    found = {key: statistics.median(s[key] for s in samples) for key in samples[0]}
    found["in_yardsticks"] = statistics.median(s["plies"] / s["yardstick"] for s in samples)
    return found


def section(name: str, plain: dict[str, Any], fast: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the text about a game, and each goal that was missed."""
    ratio = fast["in_yardsticks"] / plain["in_yardsticks"]
    rows = [
        row("plies per second", plain, fast, "plies"),
        row("the yardstick's moves per second in the same run", plain, fast, "yardstick"),
        row("plies per move of the yardstick", plain, fast, "in_yardsticks"),
        *[row(text, plain, fast, key) for key, text in ACTS.items() if key in fast],
    ]
    missed = [
        f"{name} {key}: {figure(fast[key])} instead of {figure(goal)}"
        for key, goal in GOALS.items()
        if (fast[key] < goal if key == "in_yardsticks" else fast[key] > goal)
    ]
    if ratio < RATIO:
        missed.append(f"{name} compiled/plain: {ratio:.2f} instead of {RATIO}")
    lines = [
        f"### {registry.game(name).title}",
        "",
        table(["", "plain", "compiled"], rows),
        "",
        summary(ratio, fast),
        "",
        goals_text(missed),
    ]
    return "\n".join(lines), missed


def summary(ratio: float, fast: dict[str, Any]) -> str:
    return (
        f"Compiled is **{ratio:.2f}** times as fast as plain. A match takes "
        f"{figure(fast['plies_per_match'])} plies; a snapshot {figure(fast['snapshot_bytes'])} "
        f"bytes as JSON, a view {figure(fast.get('view_bytes', 0))} bytes as a message."
    )


def goals_text(missed: list[str]) -> str:
    names = {
        "in_yardsticks": "plies per move of the yardstick at least",
        "snapshot_bytes": "bytes of a snapshot at most",
        **{key: f"{text} at most" for key, text in ACTS.items()},
    }
    stated = ", ".join(f"{names[key]} {figure(goal)}" for key, goal in GOALS.items())
    verdict = f"Missed: {'; '.join(missed)}." if missed else "All reached."
    return f"Goals, compiled: {stated}, {RATIO} times plain. {verdict}"


def row(text: str, plain: dict[str, Any], fast: dict[str, Any], key: str) -> list[str]:
    return [text, figure(plain[key]), figure(fast[key])]
