"""The judgement of a record's decisions: how much may be asked for, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taflhall_service.app.analysis import judge_decisions
from taflhall_service.app.errors import Malformed, RateLimited, Refused, WorkLimit
from taflhall_service.app.ports.analyst import (
    AnalysisOrder,
    AnalystBusy,
    AnalystUnavailable,
    InvalidRecord,
    JudgedDecisions,
)

ORDER = AnalysisOrder({}, 1, decisions=3, iterations=10, trials=4, seed=1)
WORK = 3 * (10 + 2 * 4)
"""What :data:`ORDER` costs: the trials of the chosen and of the best answer count."""


class Judges:
    """An analyst who judges nothing, or fails as the test says."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[tuple[str, AnalysisOrder]] = []

    async def judge(self, caller: str, order: AnalysisOrder) -> JudgedDecisions:
        self.asked.append((caller, order))
        if self.failure is not None:
            raise self.failure
        return JudgedDecisions([], 7)


async def test_an_order_may_cost_as_much_as_the_limit():
    analyst = Judges()
    assert await judge_decisions(analyst, "ann", ORDER, WORK) == JudgedDecisions([], 7)
    assert analyst.asked == [("ann", ORDER)]


async def test_an_order_that_costs_more_than_the_limit_is_refused():
    analyst = Judges()
    for order, limit in ((ORDER, WORK - 1), (replace(ORDER, decisions=4), WORK)):
        with pytest.raises(WorkLimit) as refusal:
            await judge_decisions(analyst, "ann", order, limit)
        assert refusal.value.metadata == {"limit": str(limit)}
    assert analyst.asked == []


@pytest.mark.parametrize(
    ("failure", "reason", "metadata"),
    [
        (
            InvalidRecord("ply 3"),
            Malformed,
            {"field": "record", "expected": "one that replays (ply 3)"},
        ),
        (AnalystBusy(2.5), RateLimited, {"retry_after_ms": "2500", "limit": "analyses"}),
        (AnalystUnavailable(), WorkLimit, {"limit": str(WORK)}),
    ],
)
async def test_the_failure_of_an_analyst_is_a_reason_of_the_contract(
    failure: Exception, reason: type[Refused], metadata: dict[str, str]
):
    with pytest.raises(reason) as refusal:
        await judge_decisions(Judges(failure), "ann", ORDER, WORK)
    assert refusal.value.metadata == metadata
