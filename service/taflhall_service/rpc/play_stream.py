"""Play: one stream for the seats of a caller in one match."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.permissions import Action, authorize
from taflhall_service.app.errors import Malformed, SeatDelegated
from taflhall_service.app.matches.clock_updates import resume_clocks
from taflhall_service.app.matches.repository import Matches
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.call import Call, mark_retrieved
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.player import Player, Players, PlayWants


async def play(
    matches: Matches, writer: Writer, meter: Meter, players: Players, call: Call
) -> None:
    """Serve Play."""
    enter = await _entered(call, matches.limits.enter_seconds)
    wants = PlayWants.of(enter)
    match = await matches.current(enter.match_id)
    caller = authorize(Action.PLAY, call.identity, match)
    seats = caller.acting
    if not seats:
        raise SeatDelegated(seat=caller.seats[0])
    await resume_clocks(matches, match)
    heartbeat = matches.limits.heartbeat_seconds
    player = Player(matches, writer, meter, call, call.identity, match, seats, wants, heartbeat)
    if enter.with_events and enter.resume_token:
        await player.resume(enter.resume_token)
    other = players.get((match.id, seats))
    if other is not None:
        other.replace()
    players[match.id, seats] = player
    prompter = asyncio.create_task(player.prompter())
    reader = asyncio.create_task(_read(call, player))
    try:
        await asyncio.wait((prompter, reader), return_when=asyncio.FIRST_COMPLETED)
        if reader.done() and not prompter.done() and reader.exception() is None:
            await prompter
    finally:
        if player.end_cause:
            name = pb.StreamEndCause.Name(player.end_cause)
            call.ending = name.removeprefix("STREAM_END_CAUSE_")
        prompter.cancel()
        player.close(reader)
        for task in (prompter, reader):
            task.add_done_callback(mark_retrieved)
        await asyncio.wait((prompter,))
    for task in (prompter, reader):
        if task.done() and not task.cancelled() and task.exception() is not None:
            await task


async def _entered(call: Call, seconds: float) -> pb.PlayEnter:
    """Return the first message of the stream, which has to come within *seconds*."""
    first: pb.PlayRequest | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            first = await call.read(pb.PlayRequest)
    if first is None or not first.HasField("enter"):
        raise Malformed(field="enter", expected=f"enter first, within {seconds:g} s")
    return first.enter


async def _read(call: Call, player: Player) -> None:
    """Take answers until the bot has sent its last."""
    while not player.closed:
        request = await call.read(pb.PlayRequest)
        if request is None:
            return
        if not request.HasField("answer"):
            raise Malformed(field="answer", expected="an answer to the prompt")
        await player.answer(request.answer)
