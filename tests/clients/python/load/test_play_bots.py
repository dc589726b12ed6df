"""Bots of a load, without a server."""

from __future__ import annotations

import asyncio
import random
from types import SimpleNamespace
from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client import errors
from taflhall_client.load.measures import Measures
from taflhall_client.load.people import MatchLost
from taflhall_client.load.plan import Plan
from taflhall_client.load.play_bots import BotTable
from taflhall_client.load.tables import play_on
from tests.waiting import until


class _SilentStream:
    """A ``Play`` stream on which nothing ever comes."""

    def __init__(self, opened: asyncio.Event) -> None:
        self._opened = opened

    async def write(self, request: pb.PlayRequest) -> None:
        self._opened.set()

    async def read(self) -> pb.PlayResponse:
        await asyncio.Event().wait()
        raise AssertionError

    def cancel(self) -> None:
        pass


class _EndingCaller:
    """Calls a server on which each match has just ended."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.calls: list[str] = []
        names = ("CreateMatch", "JoinMatch", "AbandonMatch")
        self.measures = Measures(begins=0.0)
        self.matches: Any = SimpleNamespace(
            Play=lambda metadata: _SilentStream(self.opened), **dict.fromkeys(names)
        )

    async def call(self, method: Any, name: str, request: Any, secret: str | None = None) -> Any:
        self.calls.append(name)
        if name == "AbandonMatch":
            raise errors.MatchOver("the match is over")
        return pb.CreateMatchResponse() if name == "CreateMatch" else pb.JoinMatchResponse()


async def test_a_bot_whose_last_match_has_just_ended_stops_without_an_error():
    caller: Any = _EndingCaller()
    table = BotTable(Plan("127.0.0.1:1", warm_up=0.0), caller, random.Random(1))
    playing = asyncio.create_task(table.run())
    await until(caller.opened.is_set)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert caller.calls == ["CreateMatch", "JoinMatch", "AbandonMatch"]


async def test_what_refuses_the_first_match_ends_a_load_and_later_ones_are_lost():
    measures = Measures(begins=0.0)
    outcomes: list[Exception | None] = [None, errors.MatchNotFound("gone"), MatchLost(), None]

    async def play() -> None:
        outcome = outcomes.pop(0)
        if outcome is not None:
            raise outcome
        if not outcomes:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await play_on(play, measures)
    assert measures.take().counts == {"matches finished": 1, "matches lost": 2}

    async def refuse() -> None:
        raise errors.AccountRequired("no key")

    with pytest.raises(errors.AccountRequired):
        await play_on(refuse, measures)
