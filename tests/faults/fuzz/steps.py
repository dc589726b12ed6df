"""Sequences of valid and invalid requests, checked against a plain model.

The model knows of each match only its revision, whether it is over, which decision is pending
and how every request id was answered. Each step says what it expects.
"""

from __future__ import annotations

import random
from typing import Any, Final

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_wire.translate import translator
from tests.engine.every_game import setups
from tests.faults.fuzz.pool import Caller
from tests.faults.inside import Answer

SERVICE: Final = "/taflhall.v1.MatchService/"
GAMES: Final = tuple(registry.GAMES)
MATCHES: Final = 6
"""Matches that go on at the same time."""

OVER: Final = {3, 4}
"""A match that is over: finished or abandoned."""


class Model:
    """What should be true of one match, all of whose seats one person holds."""

    def __init__(self, match_id: str, secret: str) -> None:
        self.match_id: Final = match_id
        self.secret: Final = secret
        self.revision = 0
        self.over = False
        self.decision: Any = None
        self.stale: list[str] = []
        """Ids of decisions that have been answered."""
        self.answered: list[tuple[pb.SubmitAnswersRequest, pb.SubmitAnswersResponse]] = []


class Surprise(Exception):
    """A step that did not end as the model says."""


class Steps:
    """Takes steps, one after the other."""

    def __init__(self, inside: Caller, seed: int) -> None:
        self._inside = inside
        self._rng = random.Random(seed)
        self._models: list[Model] = []
        self._number = 0
        self.sent = 0

    @property
    def known(self) -> set[str]:
        """The ids of the matches that go on."""
        return {model.match_id for model in self._models}

    async def take(self) -> None:
        """Take one step, or raise :exc:`Surprise`."""
        if len(self._models) < MATCHES:
            self._models.append(await self._created())
            return
        model = self._rng.choice(self._models)
        if model.over:
            await self._record(model)
            await self._repeated(model)
            self._models.remove(model)
            return
        step = self._rng.choices(STEPS, WEIGHTS)[0]
        await step(self, model)

    async def _created(self) -> Model:
        name = self._rng.choice(GAMES)
        game = registry.game(name)
        chosen = self._rng.choice(setups.trial(name).usual)
        setup = translator(game).setup_to(game.setup_kind(**chosen))
        create = pb.CreateMatchRequest(setup=setup, request_id=self._name("create-0123456789"))
        made = pb.CreateMatchResponse.FromString(await self._ok("CreateMatch", create))
        match_id = made.match.id
        seats = range(len(made.match.seats))
        join = pb.JoinMatchRequest(
            match_id=match_id, seats=seats, name="A", request_id=self._name("join-0123456789")
        )
        joined = pb.JoinMatchResponse.FromString(await self._ok("JoinMatch", join))
        await self._ok("StartMatch", pb.StartMatchRequest(match_id=match_id), joined.seat_secret)
        model = Model(match_id, joined.seat_secret)
        await self._looked(model)
        return model

    async def _looked(self, model: Model) -> None:
        """The match is in the state of the model."""
        asked = pb.GetMatchRequest(match_id=model.match_id, with_options=True)
        got = pb.GetMatchResponse.FromString(await self._ok("GetMatch", asked, model.secret))
        _same("revision", got.match.revision, model.revision)
        _same("over", got.match.status in OVER, model.over)
        if got.decisions:
            model.decision = got.decisions[0]

    async def _answered(self, model: Model) -> None:
        """An option that is offered is taken, once."""
        decision = model.decision
        request = pb.SubmitAnswersRequest(
            match_id=model.match_id,
            decision_id=decision.id,
            request_id=self._name("r"),
            answers=[pb.DecisionAnswer(option=self._rng.randrange(len(decision.options)))],
            with_options=True,
        )
        response = pb.SubmitAnswersResponse.FromString(
            await self._ok("SubmitAnswers", request, model.secret)
        )
        _same("replayed", response.replayed, False)
        _same("applied", response.applied, 1)
        if not response.first_revision:
            _same("revision", response.revision, model.revision)
            model.decision = response.decision
            return
        _same("revision", response.revision, model.revision + 1)
        model.revision += 1
        model.stale.append(decision.id)
        model.over = response.status in OVER
        model.answered.append((request, response))
        if response.HasField("decision"):
            model.decision = response.decision
        elif not model.over:
            await self._looked(model)

    async def _repeated(self, model: Model) -> None:
        """A request that is repeated gets the same answer."""
        if model.answered:
            request, first = self._rng.choice(model.answered)
            response = pb.SubmitAnswersResponse.FromString(
                await self._ok("SubmitAnswers", request, model.secret)
            )
            _same("replayed", response.replayed, True)
            response.ClearField("replayed")
            _same("answer", response, first)

    async def _reused(self, model: Model) -> None:
        """Another body under a request id is refused."""
        if model.answered:
            request = pb.SubmitAnswersRequest()
            request.CopyFrom(self._rng.choice(model.answered)[0])
            request.answers.add(option=self._rng.randrange(9))
            await self._refused("SubmitAnswers", request, model.secret, "REQUEST_ID_REUSED")

    async def _stale(self, model: Model) -> None:
        """A decision that has been answered cannot be answered again."""
        gone = [name for name in model.stale if name != model.decision.id]
        if gone:
            request = self._submit(model, self._rng.choice(gone), 0)
            await self._refused("SubmitAnswers", request, model.secret, "STALE_DECISION")

    async def _far(self, model: Model) -> None:
        """An option that is not offered is refused."""
        index = len(model.decision.options) + self._rng.choice((0, 1, 255, 2**31 - 300))
        request = self._submit(model, model.decision.id, index)
        await self._refused("SubmitAnswers", request, model.secret, "NO_SUCH_OPTION")

    async def _strange(self, model: Model) -> None:
        """A caller without a seat cannot answer or resign."""
        other = self._rng.choice([m for m in self._models if m is not model]).secret
        secret = self._rng.choice(("", other, model.secret[:-1] + "_", "x" * 40))
        wanted = "SECRET_INVALID" if secret else "SECRET_MISSING"
        if self._rng.random() < 0.5:
            resign = pb.ResignSeatRequest(match_id=model.match_id, request_id=self._name("r"))
            await self._refused("ResignSeat", resign, secret, wanted)
        else:
            request = self._submit(model, model.decision.id, 0)
            await self._refused("SubmitAnswers", request, secret, wanted)

    async def _record(self, model: Model) -> None:
        """There is a record after the end, and not before."""
        asked = pb.GetMatchRecordRequest(match_id=model.match_id)
        if model.over:
            response = pb.GetMatchRecordResponse.FromString(await self._ok("GetMatchRecord", asked))
            _same("commands", len(response.record.commands), model.revision)
        else:
            await self._refused("GetMatchRecord", asked, model.secret, "NOT_FINISHED")

    async def _resigned(self, model: Model) -> None:
        """A resignation takes effect; whether the match continues is for the rules."""
        resign = pb.ResignSeatRequest(match_id=model.match_id, request_id=self._name("r"))
        response = pb.ResignSeatResponse.FromString(
            await self._ok("ResignSeat", resign, model.secret)
        )
        model.revision = response.match.revision
        model.over = response.match.status in OVER
        model.answered.clear()  # what a record of one answer covers is not ours to say any more
        if not model.over:
            self._models.remove(model)

    def _submit(self, model: Model, decision: str, option: int) -> pb.SubmitAnswersRequest:
        return pb.SubmitAnswersRequest(
            match_id=model.match_id,
            decision_id=decision,
            request_id=self._name("r"),
            answers=[pb.DecisionAnswer(option=option)],
        )

    def _name(self, stem: str) -> str:
        self._number += 1
        return f"{stem}{self._number}"

    async def _ok(self, method: str, request: Any, secret: str = "") -> bytes:
        answer = await self._send(method, request, secret)
        if answer.code.name != "OK":
            raise Surprise(f"{method} was refused: {answer.code.name} {answer.reason}")
        return answer.body

    async def _refused(self, method: str, request: Any, secret: str, reason: str) -> None:
        answer = await self._send(method, request, secret)
        if answer.reason != reason:
            response = answer.reason or answer.code.name
            raise Surprise(f"{method} should have answered {reason}, not {response}")

    async def _send(self, method: str, request: Any, secret: str) -> Answer:
        self.sent += 1
        metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
        return await self._inside.call(SERVICE + method, request.SerializeToString(), metadata)


STEPS: Final = (
    Steps._answered,
    Steps._repeated,
    Steps._reused,
    Steps._stale,
    Steps._far,
    Steps._strange,
    Steps._looked,
    Steps._record,
    Steps._resigned,
)
WEIGHTS: Final = (10, 3, 1, 1, 1, 2, 2, 0.3, 0.02)


def _same(what: str, found: Any, wanted: Any) -> None:
    if found != wanted:
        raise Surprise(f"{what}: {found!r} instead of {wanted!r}"[:300])
