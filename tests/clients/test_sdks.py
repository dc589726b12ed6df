"""Every SDK builds, passes its own tests and all scenarios, which touch the whole contract."""

import os

import pytest

from taflhall_testing.clients.run import Outcome, run_scenarios
from taflhall_testing.clients.scenarios import bundled, read_folder
from tests.clients.sdks import SDKS, run

IN_CI = os.environ.get("CI") == "true"


@pytest.fixture(params=SDKS)
def sdk(request):
    found = SDKS[request.param]
    if found.missing and not IN_CI:
        pytest.skip(f"missing: {', '.join(found.missing)}")
    assert not found.missing
    return found


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_an_sdk_passes_every_scenario_and_touches_every_method_and_reason(sdk):
    assert not run(sdk, [*sdk.build, *sdk.tests])
    outcomes: list[Outcome] = []
    coverage = await run_scenarios(sdk.driver, read_folder(bundled()), outcomes.append)
    assert [(o.name, o.faults) for o in outcomes if o.faults] == []
    assert {o.skipped for o in outcomes if o.skipped} <= {*sdk.lacks}
    assert coverage.untouched == []
