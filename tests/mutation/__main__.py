"""``python -m tests.mutation NAME``: see the package."""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutation import runner
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.survivors import Key, entry, explained, keys_in

ROOT: Final = Path(__file__).parents[2]
LAWS: Final = [
    "test_matches.py::test_every_match_ends_and_no_invariant_is_ever_broken",
    "test_options.py::test_options_are_the_offers_that_nothing_refuses",
    "test_options.py::test_a_command_is_refused_unless_it_is_an_option",
    "test_views.py::test_an_imagined_table_looks_the_same",
]
"""Laws of every game that are quick and check much."""
ALWAYS: Final = ("every_game", "events_folded")
"""What the names of laws contain."""
SLOW: Final = ("neutral", "hidden", "imagined", "20_decisions", "test_data")
"""What the names of tests contain that take long."""
SERVICE: Final = "service/taflhall_service"
SERVICE_TESTS: Final = ("tests/service", "tests/operate", "tests/contract")
PROCESSES: Final = ("process", "tls", "compiled", "restore", "deploy", "drill", "bucket", "strange")
"""What the names of tests contain that start other processes, which no mutant reaches."""


class Target(NamedTuple):
    """What is changed, and the tests that should notice."""

    folder: str
    tests: list[str]
    service: bool = False


def game(name: str) -> Target:
    laws = [f"tests/engine/every_game/{law}[{name}]" for law in LAWS]
    return Target(f"engine/taflhall_engine/{name}/rules", [f"tests/engine/{name}", *laws])


def service(folder: str, tests: Sequence[str] = SERVICE_TESTS) -> Target:
    without = " and ".join([f"not {word}" for word in PROCESSES])
    return Target(f"{SERVICE}/{folder}", [*tests, "-k", without], service=True)


TARGETS: Final = {
    "champions": game("champions"),
    "ice_garden": game("ice_garden"),
    "yggdrasil": game("yggdrasil"),
    "kernel": Target(
        "engine/taflhall_engine/kernel", ["tests/engine/kernel", "tests/engine/every_game"]
    ),
    "app": service("app"),
    "access": service("app/access"),
    "jobs": service("app/jobs"),
    "matches": service("app/matches"),
    "model": service("app/model"),
    "spectating": service("app/spectating"),
    "tournaments": service("app/tournaments"),
    "watching": service("app/watching"),
    "rpc": service("rpc"),
    "store": service("store", ["tests/store"]),
    "redis": service("store/redis", ["tests/store"]),
    "archive": service("store/archive", ["tests/operate"]),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("name", choices=TARGETS)
    parser.add_argument("--modules", nargs="*", default=[], help="only these, by file name")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutants, from 0 to 1")
    parser.add_argument("--seed", type=int, default=1, help="chooses the share")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--longest",
        type=float,
        help="seconds of a test, 0.15 or for a service 10; laws are run anyhow",
    )
    parser.add_argument(
        "--patience", type=float, default=math.inf, help="seconds of all tests of one mutant"
    )
    parser.add_argument("--keep", type=Path, help="file for what a service's tests execute")
    parser.add_argument("--no-laws", action="store_true", help="cases and tests of the game only")
    parser.add_argument("--no-static", action="store_true", help="leave out what is done at import")
    parser.add_argument("--tests", nargs="*", help="only these, as arguments of pytest")
    parser.add_argument("--only", type=Path, help="the mutants of a file that --entries wrote")
    parser.add_argument("--entries", type=Path, help="write entries for new survivors to this file")
    args = parser.parse_args()
    target = TARGETS[args.name]
    modules = modules_of(target, args.modules)
    tests = args.tests or target.tests
    if args.no_laws:
        tests = [tests[0], "-k", " and ".join([f"not {word}" for word in (*ALWAYS, *SLOW)])]
    mutants = chosen(modules, args.share, args.seed)
    if args.only:
        wanted = set(keys_in(args.only))
        mutants = [mutant for mutant in mutants if mutant.key in wanted]
    reasons = explained(args.name)
    service_files = map(str, (ROOT / SERVICE).rglob("*.py")) if target.service else []
    began = time.monotonic()
    fates: list[runner.Fate] = []

    def report(fate: runner.Fate) -> None:
        fates.append(fate)
        if len(fates) % 100 == 0:
            print(f"{len(fates)} of {len(mutants)}", file=sys.stderr, flush=True)
        if not fate.killer and fate.mutant.key not in reasons:
            m = fate.mutant
            print(f"{m.path.name}:{m.first} {m.function}: {m.was} -> {m.now}", flush=True)

    if not args.no_static:
        for fate in runner.run_static([m for m in mutants if m.static], modules, tests):
            report(fate)
    longest = args.longest or (10.0 if target.service else 0.15)
    always = () if args.no_laws or target.service else ALWAYS
    noticing = runner.Tests(
        tests,
        lambda name, seconds: seconds <= longest or any(word in name for word in always),
        traced=longest,
        apart=target.service,
        patience=args.patience,
        kept=args.keep,
        files=frozenset(service_files),
    )
    dynamic = [m for m in mutants if not m.static]
    runner.run_dynamic(dynamic, modules, noticing, args.jobs, report)
    print(table(fates, reasons))
    print(f"{time.monotonic() - began:.0f} s")
    new = [f.mutant for f in fates if not f.killer and f.mutant.key not in reasons]
    if args.entries:
        args.entries.write_text("\n".join([entry(m) for m in new]), "utf-8")
    return 1 if new else 0


def modules_of(target: Target, names: list[str] | None = None) -> dict[Path, str]:
    """Return the modules of *target*, or those of them with these file names."""
    return {
        path: ".".join(path.relative_to(ROOT).with_suffix("").parts[1:])
        for path in sorted((ROOT / target.folder).glob("*.py"))
        if path.stem != "__init__" and (not names or path.stem in names)
    }


def chosen(modules: dict[Path, str], share: float, seed: int) -> list[Mutant]:
    """Return the mutants of *modules*, or a share of them by chance."""
    numbers = runner.numbers_in(list(modules.values()))
    found = [m for path, name in modules.items() for m in mutants_of(path, numbers[name])]
    if share >= 1:
        return found
    picked = random.Random(seed).sample(range(len(found)), round(len(found) * share))
    return [found[n] for n in sorted(picked)]


def table(fates: list[runner.Fate], reasons: dict[Key, str]) -> str:
    """Return how many mutants of each module were noticed, by what, and how many were not."""
    columns = ["mutants", "cases", "tests", "laws", "explained", "survivors"]
    rows: dict[str, Counter[str]] = {}
    for fate in fates:
        for name in (fate.mutant.path.stem, "all"):
            row = rows.setdefault(name, Counter())
            row["mutants"] += 1
            row[kind(fate, reasons)] += 1
    rows["all"] = rows.pop("all", Counter())
    lines = ["| Module | " + " | ".join(columns) + " | killed |", "| --- |" + " --: |" * 7]
    for name, row in rows.items():
        killed = row["cases"] + row["tests"] + row["laws"]
        share = f"{100 * killed / max(1, row['mutants']):.1f} %"
        cells = " | ".join([f"{row[column]:,}" for column in columns])
        lines.append(f"| {name} | {cells} | {share} |")
    return "\n".join(lines)


def kind(fate: runner.Fate, reasons: dict[Key, str]) -> str:
    """Return the column that a fate is counted in."""
    if not fate.killer:
        return "explained" if fate.mutant.key in reasons else "survivors"
    if "every_game" in fate.killer:
        return "laws"
    cases = "test_cases.py::test_a_case", "test_cases.py::test_case["
    return "cases" if any(name in fate.killer for name in cases) else "tests"


if __name__ == "__main__":
    sys.exit(main())
