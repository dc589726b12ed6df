"""`make clients`: builds every SDK and its documentation, runs its own tests and the scenarios.

`python -m tests.clients [LANGUAGE ...]`; the last line is `N passed, N failed`. A language whose
toolchain is missing is skipped with a line that says so; with CI=true it fails.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time

from taflhall_testing.clients.run import Outcome, run_scenarios
from taflhall_testing.clients.scenarios import bundled, read_folder
from tests.clients.sdks import SDK, SDKS, run


def main() -> None:
    passed = failed = 0
    for name in sys.argv[1:] or SDKS:
        began = time.monotonic()
        good, faults = check(SDKS[name])
        passed, failed = passed + good, failed + len(faults)
        for fault in faults:
            print(f"FAILED {name}: {fault}")
        print(f"{name}: {good} passed, {len(faults)} failed in {time.monotonic() - began:.0f} s")
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed))


def check(sdk: SDK) -> tuple[int, list[str]]:
    """Return how many steps and scenarios passed, and what failed."""
    if sdk.missing:
        line = f"missing: {', '.join(sdk.missing)}"
        if os.environ.get("CI") == "true":
            return 0, [line]
        print(f"SKIPPED {sdk.folder.name}: {line}")
        return 0, []
    passed = 0
    for commands in (sdk.build, sdk.tests, sdk.documentation):
        if fault := run(sdk, commands):
            return passed, [fault]
        passed += bool(commands)
    outcomes: list[Outcome] = []
    coverage = asyncio.run(run_scenarios(sdk.driver, read_folder(bundled()), outcomes.append))
    faults = ["\n    ".join([o.name, *o.faults]) for o in outcomes if o.faults]
    faults += [f"{o.name}: skipped" for o in outcomes if o.skipped and not lacking(sdk, o)]
    print("\n".join(coverage.table()))
    return passed + sum(not (o.faults or o.skipped) for o in outcomes), faults


def lacking(sdk: SDK, outcome: Outcome) -> bool:
    return set(outcome.skipped.split(", ")) <= sdk.lacks


if __name__ == "__main__":
    main()
