"""What seats, spectators and keys may do, against a model of the server (text 4, 6 to 8).

* what is taken back is exactly what has shown nothing, and the table is then what it was;
* a delayed spectator never sees anything before its time, in any call;
* a key that was revoked at one server opens nothing at another a second later.
"""

from __future__ import annotations

import asyncio
import io
import random
from typing import Any, Final

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Answered, Table, asked, options
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.drafts import Draft, whole
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.meta_commands import answer
from taflhall_service.app.access.accounts import Role
from taflhall_service.store.memory import Memory
from taflhall_wire.translate import translator
from tests.engine.every_game import setups
from tests.faults.inside import Answer, Inside, quiet_logs
from tests.faults.scenarios.verdict import Verdict

SERVICE: Final = "/taflhall.v1.MatchService/"
DELAY_MS: Final = 10_000
NOW_MS: Final = 1_700_000_000_000
REVOKED_AFTER: Final = 1.0
"""Seconds in which a revoked key may still be believed."""


async def terms(steps: int = 60, *, seed: int = 0) -> Verdict:
    """Try all of it, with undos in every game and that many *steps* in each."""
    quiet_logs(io.StringIO())
    verdict, rng = Verdict(), random.Random(seed)
    for name in registry.GAMES:
        async with Inside() as inside:
            await _taken_back(verdict, Seated(inside, registry.game(name), rng), steps)
    await _late(verdict, rng)
    await _revoked(verdict)
    return verdict


class Seated:
    """A match that one person plays for all seats."""

    def __init__(self, inside: Inside, game: Game, rng: random.Random) -> None:
        self.inside: Final = inside
        self.game: Final = game
        self.rng: Final = rng
        self.match_id = ""
        self.secret = ""
        self.taken: list[int] = []
        """The options that the steps of the last answer took."""
        self._number = 0

    async def call(self, method: str, request: Any, secret: str = "") -> Answer:
        metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
        return await self.inside.call(SERVICE + method, request.SerializeToString(), metadata)

    async def opened(self, late: bool = False) -> None:
        """Create a match and sit down; with *late* spectators are delayed."""
        chosen = self.rng.choice(setups.trial(self.game.id).usual)
        setup = translator(self.game).setup_to(self.game.setup_kind(**chosen))
        create = pb.CreateMatchRequest(setup=setup, start_when_full=True)
        if late:
            create.spectators.policy = match_pb2.SPECTATOR_POLICY_DELAYED
            create.spectators.delay.FromMilliseconds(DELAY_MS)
        made = pb.CreateMatchResponse.FromString((await self.call("CreateMatch", create)).body)
        self.match_id, seats = made.match.id, range(len(made.match.seats))
        join = pb.JoinMatchRequest(match_id=self.match_id, seats=seats, name="Ann")
        self.secret = pb.JoinMatchResponse.FromString(
            (await self.call("JoinMatch", join)).body
        ).seat_secret

    async def step(self) -> int:
        """Give a whole answer by chance; return the seat that did, -1 if nothing is asked."""
        get = pb.GetMatchRequest(match_id=self.match_id, with_options=True)
        reply = pb.GetMatchResponse.FromString((await self.call("GetMatch", get, self.secret)).body)
        if not reply.decisions:
            return -1
        decision = reply.decisions[0]
        self.taken = []
        while True:
            self._number += 1
            self.taken.append(self.rng.randrange(len(decision.options)))
            request = pb.SubmitAnswersRequest(
                match_id=self.match_id,
                decision_id=decision.id,
                request_id=f"r{self._number}",
                answers=[pb.DecisionAnswer(option=self.taken[-1])],
                with_options=True,
            )
            answered = await self.call("SubmitAnswers", request, self.secret)
            assert answered.code.name == "OK", answered.reason
            response = pb.SubmitAnswersResponse.FromString(answered.body)
            if response.first_revision:
                return int(decision.seat)
            decision = response.decision

    async def back(self, revision: int) -> Answer:
        """Ask to go back to *revision*; nobody else has to agree."""
        self._number += 1
        request = pb.ProposeToPlayersRequest(
            match_id=self.match_id, request_id=f"back{self._number}"
        )
        request.undo.to_revision = revision
        return await self.call("ProposeToPlayers", request, self.secret)


class Stood:
    """The table at a revision, and whether nothing was revealed on the way there."""

    def __init__(self, revision: int, table: Table, silent: bool) -> None:
        self.revision: Final = revision
        self.table: Final = table
        self.silent: Final = silent


async def _taken_back(verdict: Verdict, at: Seated, steps: int) -> None:
    await at.opened()
    match = await at.inside.matches.fresh(at.match_id)
    assert match.table is not None
    line, revision = [Stood(0, match.table.copy(), False)], 0
    for _ in range(steps):
        if not asked(line[-1].table):  # the match is over: nothing is taken back any more
            return
        if len(line) > 1 and at.rng.random() < 0.4:
            back = at.rng.randint(1, min(3, len(line) - 1))
            may = all(stood.silent for stood in line[-back:])
            response = await at.back(line[-back - 1].revision)
            verdict.figures["answers asked back"] += 1
            if (response.code.name == "OK") != may:
                what = "was" if may else "was not"
                verdict.blame("undo", f"{at.game.id}: {back} back {what} silent: {response.reason}")
                return
            if may:
                revision += 1
                del line[-back:]
                verdict.figures["answers taken back"] += back
                await _same(verdict, at, line[-1], revision)
            continue
        if await at.step() < 0:
            verdict.blame("undo", f"{at.game.id}: nobody is asked at {revision}, before the end")
            return
        revision += 1
        line.append(_gone_on(at, line[-1], revision))


def _gone_on(at: Seated, before: Stood, revision: int) -> Stood:
    table = before.table.copy()
    seat = asked(table)[0]
    table.journal = []
    draft = Draft(table, seat)
    for option in at.taken:
        draft.give(options(draft.table, seat)[option])
    answer(at.game, table, seat, whole(draft.steps))
    shown = any(
        type(response) in at.game.reveals
        for event in table.journal
        for response in (event, event.command if isinstance(event, Answered) else None)
    )
    table.journal = None
    return Stood(revision, table, not shown and _words(table) == _words(before.table))


def _words(table: Table) -> int:
    assert isinstance(table.chance, KeyedChance)
    return table.chance.draws


async def _same(verdict: Verdict, at: Seated, stood: Stood, revision: int) -> None:
    get = pb.GetMatchRequest(match_id=at.match_id, with_view=True, seat=0)
    response = pb.GetMatchResponse.FromString((await at.call("GetMatch", get, at.secret)).body)
    wanted = translator(at.game).view_to(at.game.view(stood.table, 0))
    if response.match.revision != revision or response.view != wanted:
        verdict.blame("undo", f"{at.game.id}: the table at {revision} is another one")


async def _late(verdict: Verdict, rng: random.Random) -> None:
    """Watch with a delay, while a second passes between two answers."""
    now = [NOW_MS]
    async with Inside(Memory(lambda: now[0])) as inside:
        at = Seated(inside, registry.game("yggdrasil"), rng)
        await at.opened(late=True)
        times = [now[0]]
        for _ in range(30):
            now[0] += 1000
            if await at.step() < 0:
                break
            times.append(now[0])
            known = sum(time <= now[0] - DELAY_MS for time in times) - 1
            for what, seen in await _spectator(at, len(times) - 1):
                verdict.figures["late looks"] += 1
                if seen > max(known, 0):
                    verdict.blame("late", f"{what} shows {seen}, {known} is old enough")


async def _spectator(at: Seated, newest: int) -> list[tuple[str, int]]:
    """Return the greatest revision that each call shows to a spectator."""
    get = pb.GetMatchResponse.FromString(
        (await at.call("GetMatch", pb.GetMatchRequest(match_id=at.match_id, with_view=True))).body
    )
    listed = pb.ListMatchesResponse.FromString(
        (await at.call("ListMatches", pb.ListMatchesRequest())).body
    )
    seen = [("GetMatch", get.match.revision)]
    seen += [("ListMatches", match.revision) for match in listed.matches if match.id == at.match_id]
    for revision in range(newest, -1, -1):
        view = pb.GetMatchViewRequest(match_id=at.match_id, revision=revision)
        if (await at.call("GetMatchView", view)).code.name == "OK":
            seen.append(("GetMatchView", revision))
            break
    request = pb.WatchMatchRequest(match_id=at.match_id)
    stream = at.inside.stream(SERVICE + "WatchMatch", request.SerializeToString())
    first = await stream.read()
    await stream.leave()
    return [*seen, ("WatchMatch", pb.WatchMatchResponse.FromString(first or b"").revision)]


async def _revoked(verdict: Verdict) -> None:
    memory = Memory()
    async with Inside(memory) as here, Inside(memory) as there:
        account = await here.server.accounts.create("Ann", Role.PLAYER)
        key, text = await here.server.accounts.create_key(account.id)
        create = pb.CreateMatchRequest()
        create.setup.game, create.setup.seats = "yggdrasil", 1
        at = Seated(there, registry.game("yggdrasil"), random.Random(0))
        first = await at.call("CreateMatch", create, text)
        await here.server.accounts.revoke(key.id)
        await asyncio.sleep(REVOKED_AFTER)
        after = await at.call("CreateMatch", create, text)
        verdict.figures["keys revoked"] += 1
        if first.code.name != "OK" or after.code.name == "OK":
            verdict.blame("keys", f"before: {first.reason or 'OK'}, after: {after.reason or 'OK'}")
