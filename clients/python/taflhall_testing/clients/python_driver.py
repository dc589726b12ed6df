"""The driver of the Python SDK: ``python -m taflhall_testing.clients.python_driver``."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from importlib.metadata import version
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass

from taflhall.tournament.v1.tournament_service_pb2 import CreateTournamentRequest
from taflhall.v1 import table_pb2
from taflhall_client import errors
from taflhall_client.async_client import TLS, Client
from taflhall_client.backoff import Timing
from taflhall_client.bot import Decision
from taflhall_client.hosted_tournaments import Format, TournamentInfo
from taflhall_client.match import Match
from taflhall_client.play_all_loop import BotOffer
from taflhall_client.results import MatchInfo, Reaction, SeatKind, Status, Update
from taflhall_client.setting_messages import time_control_from
from taflhall_engine.kernel.agenda import Command, Refusal
from taflhall_engine.kernel.game import View
from taflhall_testing.clients.driver import PROTOCOL
from taflhall_testing.clients.scenarios import METHODS, Data
from taflhall_wire.translate import game_of, translator

_TIMING: Final = ("attempt", "silence", "first_pause", "longest_pause")
_REASONS: Final = {"UNREACHABLE": "UNAVAILABLE", "TIMED_OUT": "DEADLINE_EXCEEDED"}
"""What the client names in its own words, as the protocol does."""

Report = Callable[[Data], None]


class Chooser:
    """A bot that takes the first option, the last or any, after a while."""

    def __init__(self, report: Report, how: str, seed: int, think: float) -> None:
        self._report = report
        self._how = how
        self._think = think
        self._rng = random.Random(seed)

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        time.sleep(self._think)
        last = len(decision.options) - 1
        index = {"first": 0, "last": last}.get(self._how)
        choice = decision.options[self._rng.randint(0, last) if index is None else index]
        response = {"decision": decision.decision_id, "seat": decision.seat, "rule": decision.rule}
        self._report({**response, "option": decision.index(choice), "events": len(decision.events)})
        return choice


class PythonDriver:
    """Carries out operations with the Python SDK. Each method is one, under its own name."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}
        self._settings: dict[str, Data] = {}
        self._matches: dict[tuple[str, str, str | None], Match] = {}
        self.running: Final[dict[int, asyncio.Task[None]]] = {}

    async def connect(self, report: Report, given: Data) -> Data:
        timing = Timing(**{key: given[key] for key in _TIMING if key in given})
        deadline = given.get("deadline", 30.0)
        tls = TLS(**given["tls"]) if "tls" in given else None
        name = given.get("client", "default")
        self._settings[name] = given
        self._clients[name] = Client(
            given["address"],
            deadline=deadline,
            connect_deadline=given.get("connect_deadline", 30.0),
            timing=timing,
            key=given.get("key"),
            tls=tls,
        )
        return {}

    async def close(self, report: Report, given: Data) -> Data:
        name = given.get("client", "default")
        self._matches = {key: match for key, match in self._matches.items() if key[0] != name}
        await self._clients.pop(name).close()
        return {}

    async def call(self, report: Report, given: Data) -> Data:
        client = self._client(given)
        method = METHODS[given["method"]]
        kind = GetMessageClass(method.input_type)
        request = json_format.ParseDict(given["request"], kind())
        if method.server_streaming:
            stream = client.channel.unary_stream(
                f"/{given['method']}",
                request_serializer=kind.SerializeToString,
                response_deserializer=GetMessageClass(method.output_type).FromString,
            )
            async for message in client.open(stream, request, secret=given.get("secret")):
                report({"message": json_format.MessageToDict(message)})
            return {}
        stub = client.channel.unary_unary(
            f"/{given['method']}",
            request_serializer=kind.SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        reply = await client.call(stub, request, given.get("secret"))
        return {"response": json_format.MessageToDict(reply)}

    async def create(self, report: Report, given: Data) -> Data:
        client = self._client(given)
        setup = json_format.ParseDict(given["setup"], table_pb2.Setup())
        game = setup.game or game_of(setup)
        match = await client.create(
            game,
            translator(client.game(game)).setup_from(setup),
            title=given.get("title", ""),
            start_when_full=given.get("start_when_full", False),
        )
        return {"match": match.match_id, "secret": match.secret}

    async def join(self, report: Report, given: Data) -> Data:
        kind = SeatKind[given.get("kind", "PERSON")]
        seat = await self._match(given).join(given["name"], given.get("seats", ()), kind)
        return {"seats": seat.seats, "secret": seat.secret}

    async def start(self, report: Report, given: Data) -> Data:
        return _brief(await self._match(given).start())

    async def get(self, report: Report, given: Data) -> Data:
        state = await self._match(given).get(options=True, seat=given.get("seat"))
        decisions = [_decision(decision) for decision in state.decisions]
        return {
            **_brief(state.match),
            "decisions": decisions,
            "resume_token": state.resume_token,
        }

    async def submit(self, report: Report, given: Data) -> Data:
        match = self._match(given)
        choices: list[Any] = given.get("options") or [
            await self._command(match, command) for command in given["commands"]
        ]
        done = await match.submit(
            choices, given.get("decision"), request_id=given.get("request_id")
        )
        return {
            "revision": done.revision,
            "applied": done.applied,
            "replayed": done.replayed,
            "status": done.status.name,
            "decision": None if done.decision is None else _decision(done.decision),
            "refusal": _refusal(done.refusal),
        }

    async def explain(self, report: Report, given: Data) -> Data:
        match = self._match(given)
        command = await self._command(match, given["command"])
        explained = await match.explain(command, given.get("seat"))
        return {
            "legal": explained.legal,
            "refusal": _refusal(explained.refusal),
            "rule_text": explained.rule_text,
        }

    async def watch(self, report: Report, given: Data) -> Data:
        watch = self._match(given).watch(
            view=False,
            options=False,
            seat=given.get("seat"),
            resume_token=given.get("resume_token", ""),
            patience=self._patience(given),
        )
        last: Update | None = None
        async for update in watch:
            last = update
            if update.match is None or not update.match.finished:
                report(_update(update))
        assert last is not None
        return {"status": last.status.name, "revision": last.revision}

    async def play(self, report: Report, given: Data) -> Data:
        bot = Chooser(
            report, given.get("choose", "first"), given.get("seed", 0), given.get("think", 0.0)
        )
        end = await self._match(given).play(
            bot,
            in_thread=True,
            patience=self._patience(given),
            proposals=given.get("proposals", "leave"),
            events=given.get("with_events", False),
        )
        return _brief(end)

    async def play_all(self, report: Report, given: Data) -> Data:
        client = self._client(given)
        how, seed, think = given.get("choose", "first"), given.get("seed", 0), given.get("think", 0)

        def new_bot(match: MatchInfo) -> Chooser:
            return Chooser(lambda line: report({"match": match.match_id, **line}), how, seed, think)

        offer = None
        if "max_matches" in given:
            offer = BotOffer(given["max_matches"], given.get("games", ()))
        async for played in client.play_all(
            new_bot,
            seats=[client.match(seat["match"], seat["secret"]) for seat in given.get("at", ())],
            offer=offer,
            patience=self._patience(given),
            proposals=given.get("proposals", "leave"),
        ):
            if played.entered:
                news: Data = {"entered": list(played.seats)}
            elif played.failure is not None:
                news = {"failure": played.failure.reason}
            else:
                assert played.match is not None
                news = {"end": played.match.status.name}
            report({"match": played.match_id, **news})
        return {}

    async def watch_lobby(self, report: Report, given: Data) -> Data:
        async for update in self._client(given).watch_lobby(given.get("game", "")):
            if update.match is not None:
                report({"match": update.match.match_id})
            elif update.gone_match_id:
                report({"gone": update.gone_match_id})
            else:
                report({"lost": True})
        return {}

    async def resign(self, report: Report, given: Data) -> Data:
        return _brief(await self._match(given).resign(given.get("seat")))

    async def add_bot(self, report: Report, given: Data) -> Data:
        return _brief(await self._match(given).add_bot(given["bot"], given.get("seat")))

    async def rematch(self, report: Report, given: Data) -> Data:
        seat = await self._match(given).rematch()
        return {"match": seat.match_id, "seats": seat.seats, "secret": seat.secret}

    async def react(self, report: Report, given: Data) -> Data:
        await self._match(given).react(Reaction[given.get("reaction", "UNKNOWN")])
        return {}

    async def analyse(self, report: Report, given: Data) -> Data:
        record = await self._match(given).record()
        effort = {k: given[k] for k in ("first_revision", "iterations", "trials") if k in given}
        decisions: list[Data] = []
        async with aclosing(self._client(given).analyse(record, **effort)) as judged:
            async for answer in judged:
                line = {"revision": answer.revision, "seat": answer.seat}
                decisions.append({**line, "grade": answer.grade.name})
                if len(decisions) == given["most"]:
                    break
        return {"decisions": decisions}

    async def tournament(self, report: Report, given: Data) -> Data:
        tournaments, number = self._client(given).tournaments, given.get("tournament", "")
        match given["action"]:
            case "create":
                found = await self._created_tournament(given)
            case "enter":
                found = await tournaments.enter(number, given.get("name", ""))
            case "withdraw":
                found = await tournaments.withdraw(number, given.get("account", ""))
            case "start":
                found = await tournaments.start(number)
            case "cancel":
                found = await tournaments.cancel(number)
            case _:
                found = await tournaments.get(number)
        entrants = len(found.entrants)
        return {"tournament": found.id, "status": found.status.name, "entrants": entrants}

    async def _created_tournament(self, given: Data) -> TournamentInfo:
        client = self._client(given)
        wanted = json_format.ParseDict(given["request"], CreateTournamentRequest())
        game = wanted.setup.game or game_of(wanted.setup)
        return await client.tournaments.create(
            game,
            wanted.name,
            translator(client.game(game)).setup_from(wanted.setup),
            time_control=time_control_from(wanted.time_control),
            format=Format(wanted.format or 1),
            rounds=wanted.rounds or 1,
            max_entrants=wanted.max_entrants,
            matches_at_once=wanted.matches_at_once or 1,
        )

    async def standings(self, report: Report, given: Data) -> Data:
        found = await self._client(given).tournaments.standings(given["tournament"])
        lines = [{"place": s.place, "account": s.account, "points": s.points} for s in found]
        return {"standings": lines}

    async def tournament_matches(self, report: Report, given: Data) -> Data:
        found = await self._client(given).tournaments.matches(given["tournament"])
        return {"matches": [{"match": m.match_id, "status": m.status.name} for m in found]}

    async def watch_tournament(self, report: Report, given: Data) -> Data:
        status = ""
        async for update in self._client(given).tournaments.watch(
            given["tournament"], self._patience(given)
        ):
            if update.tournament is not None:
                status = update.tournament.status.name
            report({"status": status, "matches": len(update.matches)})
        return {"status": status}

    async def cancel(self, report: Report, given: Data) -> Data:
        task = self.running.get(given["of"])
        if task is not None:
            task.cancel()
        return {}

    async def bench(self, report: Report, given: Data) -> Data:
        client, count = self._client(given), itertools.count()
        play = _play_by_stream if given["mode"] == "play" else _play_by_calls
        began = time.monotonic()

        async def play_on() -> None:
            while True:
                match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
                await play(await match.join("Bench", [0, 1], SeatKind.BOT), count)

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(given["seconds"]), asyncio.TaskGroup() as group:
                for _ in range(given["parallel"]):
                    group.create_task(play_on())
        return {"answers": next(count), "seconds": time.monotonic() - began}

    def language(self, given: Data) -> str:
        """Return the language of the client that *given* names."""
        settings = self._settings.get(given.get("client", "default"), {})
        return str(settings.get("language", "en"))

    def _client(self, given: Data) -> Client:
        return self._clients[given.get("client", "default")]

    def _patience(self, given: Data) -> float:
        settings = self._settings[given.get("client", "default")]
        return float(settings.get("patience", 300.0))

    def _match(self, given: Data) -> Match:
        """Return the match as the owner of the secret has it: it remembers the last decision."""
        key = (given.get("client", "default"), given["match"], given.get("secret"))
        if key not in self._matches:
            self._matches[key] = self._client(given).match(given["match"], given.get("secret"))
        return self._matches[key]

    async def _command(self, match: Match, data: Data) -> Command[Any]:
        game = (await match.decoder()).game
        message = json_format.ParseDict(data, table_pb2.Command())
        return translator(game).command_from(message)


OPERATIONS: Final[list[str]] = [
    name
    for name, _ in inspect.getmembers(PythonDriver, inspect.iscoroutinefunction)
    if not name.startswith("_")
]


async def _play_by_calls(seat: Match, count: Iterator[int]) -> None:
    decision = await seat.decision()
    while decision is not None:
        done = await seat.submit(random.randrange(len(decision.options)), decision)
        next(count)
        if done.status is not Status.PLAYING:
            return
        decision = done.decision if done.decision and done.decision.options else None
        decision = decision or await seat.decision()


async def _play_by_stream(seat: Match, count: Iterator[int]) -> None:
    def report(_: Data) -> None:
        next(count)

    await seat.play(Chooser(report, "random", random.getrandbits(32), 0.0))


def _brief(match: MatchInfo) -> Data:
    return {"status": match.status.name, "revision": match.revision}


def _decision(decision: Decision) -> Data:
    return {
        "id": decision.decision_id,
        "seat": decision.seat,
        "rule": decision.rule,
        "options": len(decision.options) + len(decision.unknown_options),
    }


def _refusal(refusal: Refusal | None) -> Data | None:
    if refusal is None:
        return None
    return {"rule": refusal.rule, "code": refusal.code}


def _update(update: Update) -> Data:
    return {
        "revision": update.revision,
        "snapshot": None if update.restart is None else update.restart.name,
        "events": len(update.events),
        "status": update.status.name,
        "resume_token": update.resume_token,
    }


def _error(error: errors.TaflhallError, language: str) -> Data:
    return {
        "reason": _REASONS.get(error.reason, error.reason),
        "message": error.text(language),
        "metadata": error.metadata,
        "uncertain": error.uncertain,
        "retry_after": error.retry_after,
        "violations": [{"field": v.field, "code": v.code} for v in error.violations],
    }


def _say(line: Data) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def _carry_out(driver: PythonDriver, line: Data) -> None:
    number = line["id"]
    operation: Callable[[Report, Data], Awaitable[Data]] = getattr(driver, line["op"])
    try:
        result = await operation(lambda event: _say({"id": number, "event": event}), line)
    except errors.TaflhallError as error:
        _say({"id": number, "error": _error(error, driver.language(line))})
    except asyncio.CancelledError:
        _say({"id": number, "error": {"reason": "CANCELLED", "message": "", "uncertain": True}})
    else:
        _say({"id": number, "result": result})
    finally:
        driver.running.pop(number, None)


async def main() -> None:
    """Serve the kit until standard input ends."""
    driver = PythonDriver()
    client = f"taflhall-python {version('taflhall')}"
    _say({"protocol": PROTOCOL, "client": client, "operations": OPERATIONS})
    lines = asyncio.StreamReader(limit=2**26)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while text := await lines.readline():
        line = json.loads(text)
        driver.running[line["id"]] = asyncio.create_task(_carry_out(driver, line))


if __name__ == "__main__":
    asyncio.run(main())
