"""People of a load, without a server."""

from __future__ import annotations

import random
import time
from types import SimpleNamespace
from typing import Any

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.load.lag import Lag
from taflhall_client.load.measures import Measures
from taflhall_client.load.pace import Pace
from taflhall_client.load.people import Person
from tests.waiting import settle

THINK = 1000.0


class _Watch:
    """A watch with these messages."""

    def __init__(self, *messages: pb.WatchMatchResponse) -> None:
        self._messages = list(messages)

    async def read(self) -> pb.WatchMatchResponse:
        await settle()
        return self._messages.pop(0)

    def cancel(self) -> None:
        pass


async def test_a_command_that_a_match_no_longer_waits_for_is_not_one_without_an_answer():
    asked, over = pb.WatchMatchResponse(), pb.WatchMatchResponse()
    asked.snapshot.decisions.add(id="1").options.add()
    over.change.status = match_pb2.MATCH_STATUS_FINISHED
    begins = time.perf_counter()
    measures, pace = Measures(begins), Pace(random.Random(1), THINK, begins)
    due = Pace(random.Random(1), THINK, begins).next()
    matches = SimpleNamespace(
        WatchMatch=lambda request, metadata: _Watch(asked, over), SubmitAnswers=None
    )
    caller: Any = SimpleNamespace(matches=matches, measures=measures)
    await Person(caller, "match", "secret", Lag(measures), pace, random.Random(1)).run()
    assert pace.unanswered(due) == []
