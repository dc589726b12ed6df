"""Write the stored matches of this release: open, in the middle, with clocks, taken back, over."""

from __future__ import annotations

import asyncio
import io
from importlib.metadata import version
from typing import Any, Final

import msgspec

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel.snapshot import digest
from taflhall_wire.translate import translator
from tests.engine.every_game import setups
from tests.faults.inside import Inside, quiet_logs
from tests.service.stored import FOLDER, Known, Shelf

SERVICE: Final = "/taflhall.v1.MatchService/"
ANSWERS: Final = 24


class Player:
    """Plays matches in one server, alone."""

    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        self._number = 0

    async def ask(self, method: str, request: Any, secret: str = "", *may_be: str) -> Any:
        """Return the answer to a call, which may be refused for one of some reasons."""
        metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
        response = await self._inside.call(SERVICE + method, request.SerializeToString(), metadata)
        assert response.code.name == "OK" or response.reason in may_be, (method, response.reason)
        return getattr(pb, f"{method}Response").FromString(response.body)

    def name(self) -> str:
        self._number += 1
        return f"request-{self._number:012d}"

    async def opened(self, name: str, clocked: bool) -> pb.CreateMatchResponse:
        """Create a match of the game *name*."""
        game = registry.game(name)
        setup = translator(game).setup_to(game.setup_kind(**setups.trial(name).usual[clocked]))
        create = pb.CreateMatchRequest(setup=setup, title="Stored", request_id=self.name())
        if clocked:
            create.time_control.base.seconds = 86_400
            create.time_control.increment.seconds = 5
            create.time_control.on_timeout = match_pb2.TIMEOUT_POLICY_NEUTRAL
        made: pb.CreateMatchResponse = await self.ask("CreateMatch", create)
        return made

    async def played(self, name: str, clocked: bool, undo: bool, over: bool) -> Known:
        """Play a match for a while, and leave it."""
        made = await self.opened(name, clocked)
        match_id, seats = made.match.id, range(len(made.match.seats))
        join = pb.JoinMatchRequest(
            match_id=match_id, seats=seats, name="Ann", request_id=self.name()
        )
        secret = (await self.ask("JoinMatch", join)).seat_secret
        await self.ask("StartMatch", pb.StartMatchRequest(match_id=match_id), secret)
        get = pb.GetMatchRequest(match_id=match_id, with_options=True)
        request, answer, tokens = pb.SubmitAnswersRequest(), pb.SubmitAnswersResponse(), []
        for number in range(ANSWERS):
            state = await self.ask("GetMatch", get, secret)
            if not state.decisions:
                break
            decision = state.decisions[0]
            tokens.append(state.resume_token)
            answer = pb.SubmitAnswersResponse()
            while not answer.first_revision:  # an answer may have several steps
                request = pb.SubmitAnswersRequest(
                    match_id=match_id,
                    decision_id=decision.id,
                    request_id=self.name(),
                    answers=[pb.DecisionAnswer(option=number % len(decision.options))],
                    with_options=True,
                )
                answer = await self.ask("SubmitAnswers", request, secret)
                decision = answer.decision
        if undo:
            propose = pb.ProposeToPlayersRequest(match_id=match_id, request_id=self.name())
            propose.undo.SetInParent()
            await self.ask("ProposeToPlayers", propose, secret, "CANNOT_UNDO")
        for seat in seats if over else ():
            resign = pb.ResignSeatRequest(match_id=match_id, seat=seat, request_id=self.name())
            await self.ask("ResignSeat", resign, secret, "MATCH_OVER")
        state = await self.ask("GetMatch", get, secret)
        match = await self._inside.matches.fresh(match_id)
        assert match.table is not None
        return Known(
            match_id,
            secret,
            state.match.revision,
            state.match.status,
            tokens[len(tokens) // 2],
            request.SerializeToString(),
            answer.SerializeToString(),
            digest(match.game, match.table),
        )


async def shelf(name: str) -> Shelf:
    """Return a store with matches of the game *name*."""
    async with Inside() as inside:
        player = Player(inside)
        known = [
            await player.played(name, clocked=False, undo=False, over=False),
            await player.played(name, clocked=True, undo=True, over=False),
            await player.played(name, clocked=False, undo=True, over=True),
        ]
        await player.opened(name, clocked=False)
        return Shelf.of(inside.memory, known)


def main() -> None:
    """Write one file for each game."""
    quiet_logs(io.StringIO())
    folder = FOLDER / version("taflhall")
    folder.mkdir(exist_ok=True)
    for name in registry.GAMES:
        data = msgspec.msgpack.encode(asyncio.run(shelf(name)))
        (folder / f"{name}.msgpack").write_bytes(data)
        print(folder.name, name, len(data))


if __name__ == "__main__":
    main()
