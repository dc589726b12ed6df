"""Between the client's values and the contract's messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from taflhall.v1 import catalog_service_pb2 as catalog
from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client.bot import Decision, UnknownOption
from taflhall_client.errors import DataDiffers
from taflhall_client.results import (
    Durability,
    Explained,
    GameInfo,
    MatchInfo,
    PastView,
    Proposal,
    Reaction,
    Restart,
    RevisionEvents,
    SeatInfo,
    SeatKind,
    SeatPresence,
    SeatReaction,
    State,
    Status,
    Submitted,
    Update,
)
from taflhall_client.setting_messages import seat_clocks, spectators_from, time_control_from
from taflhall_engine.kernel import record, setups
from taflhall_engine.kernel.agenda import Command, Waiting
from taflhall_engine.kernel.drafts import whole
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.meta_commands import write_meta_command
from taflhall_wire.mapping import NotUnderstood
from taflhall_wire.outcomes import meta_command_from, refusal_from, result_from
from taflhall_wire.texts import texts_for
from taflhall_wire.translate import Translator, game_of, seat_in, translator

Choice = int | Command[Any] | UnknownOption
"""An answer: an option, or its index."""


def answers(game: Game, choice: Choice | Iterable[Choice]) -> list[rpc.DecisionAnswer]:
    """Return the messages of one answer or several."""
    single = isinstance(choice, int | Command | UnknownOption)
    choices = [choice] if single else list(choice)  # type: ignore[arg-type]
    return [_answer(game, c) for c in choices]  # type: ignore[arg-type]


def _answer(game: Game, choice: Choice) -> rpc.DecisionAnswer:
    if isinstance(choice, UnknownOption):
        return rpc.DecisionAnswer(option=choice.index)
    if isinstance(choice, int):
        return rpc.DecisionAnswer(option=choice)
    return rpc.DecisionAnswer(command=translator(game).command_to(choice))


def game_info(message: catalog.Game, game: Game | None) -> GameInfo:
    """Return a game of the catalogue; *game* is the engine's, if it has it."""
    setup = {}
    if game is not None and message.HasField("default_setup"):
        setup = setups.to_data(game, translator(game).setup_from(message.default_setup))
    return GameInfo(
        message.id,
        message.title,
        message.min_seats,
        message.max_seats,
        message.cooperative,
        message.rules_version,
        message.data_digest.hex(),
        setup,
        {bot.id: bot.text for bot in message.bots},
    )


def match_info(message: match_pb2.Match, game: Game | None) -> MatchInfo:
    """Return a match."""
    return MatchInfo(
        match_id=message.id,
        game=message.game,
        title=message.title,
        setup=None if game is None else translator(game).setup_from(message.setup),
        status=_enum(Status, message.status),
        revision=message.revision,
        seats=[
            SeatInfo(
                s.index,
                s.name,
                _enum(SeatKind, s.kind),
                s.resigned,
                s.deputy,
                s.stand_in,
                s.account_id,
                s.bot_id,
                s.invited_account_id,
            )
            for s in message.seats
        ],
        rules_version=message.rules_version,
        data_digest=message.data_digest.hex(),
        secret_digest=message.secret_digest.hex(),
        secret=message.secret.hex(),
        result=result_from(message.result) if message.HasField("result") else None,
        created=message.create_time.ToDatetime(UTC),
        updated=message.update_time.ToDatetime(UTC),
        started=_time(message, "start_time"),
        ended=_time(message, "end_time"),
        time_control=time_control_from(message.time_control)
        if message.HasField("time_control")
        else None,
        clocks=seat_clocks(message.clocks),
        spectators=spectators_from(message.spectators),
        creator_account=message.creator_account_id,
        labels=dict(message.labels),
        proposal=_proposal(message.proposal) if message.HasField("proposal") else None,
        next_match=message.next_match_id,
        previous_match=message.previous_match_id,
    )


def seats_present(message: match_pb2.MatchPresence) -> list[SeatPresence]:
    """Return which players are there."""
    return [
        SeatPresence(
            seat.seat,
            seat.connected,
            seat.last_seen_time.ToDatetime(UTC) if seat.HasField("last_seen_time") else None,
        )
        for seat in message.seats
    ]


def _time(message: match_pb2.Match, field: Literal["start_time", "end_time"]) -> datetime | None:
    return getattr(message, field).ToDatetime(UTC) if message.HasField(field) else None


def _proposal(message: match_pb2.Proposal) -> Proposal:
    to = message.undo.to_revision if message.WhichOneof("what") == "undo" else None
    return Proposal(message.id, message.seat, to, [*message.agreed], [*message.wanted])


class MessageDecoder:
    """Reads the messages of matches of one game; *data_digest* is of the match's data."""

    def __init__(self, game: Game, data_digest: str = "") -> None:
        self.game = game
        self._data_digest = data_digest
        self._translator: Translator = translator(game)

    def check_data(self) -> None:
        """Raise :exc:`DataDiffers` if the match has other component data than :attr:`game`."""
        ours, theirs = self.game.data_digest, self._data_digest
        if theirs and theirs != ours:
            title_de = texts_for(self.game, "de").title()
            raise DataDiffers(
                f"the match is played with other data of {self.game.title} (digest "
                f"{theirs[:12]}) than this client has ({ours[:12]}): name its folder with --data",
                message_de=f"die Partie wird mit anderen Daten von {title_de} gespielt "
                f"({theirs[:12]}) als dieser Client hat ({ours[:12]}): gib ihren Ordner mit "
                "--data an",
            )

    def match(self, message: match_pb2.Match) -> MatchInfo:
        """Return a match."""
        return match_info(message, self.game)

    def decision(self, message: table_pb2.Decision) -> Decision:
        """Return a pending decision; without options if they are not listed."""
        known: list[Command[Any]] = []
        unknown: list[UnknownOption] = []
        for index, option in enumerate(message.options):
            try:
                known.append(self._translator.command_from(option.command))
            except NotUnderstood:
                unknown.append(UnknownOption(index, option.rule, option.text))
        return Decision(
            message.seat,
            self._step(message),
            known,
            message.rule,
            message.id,
            unknown_options=unknown,
        )

    def _step(self, message: table_pb2.Decision) -> Waiting[Any] | None:
        try:
            return self._translator.step_from(message)
        except NotUnderstood:
            return None

    def prompt(self, message: rpc.PlayPrompt) -> Decision:
        """Return the decision that a bot is asked, with its time and what has happened."""
        decision = self.decision(message.decision)
        if message.events:
            decision = replace(decision, events=self.events(message.events))
        clocks = {clock.seat: clock for clock in seat_clocks(message.clocks)}
        own = clocks.get(decision.seat)
        if own is None or own.deadline is None:
            return decision
        return replace(decision, deadline=own.deadline, time_left=own.left())

    def decisions(self, messages: Iterable[table_pb2.Decision]) -> list[Decision]:
        """Return pending decisions."""
        return [self.decision(message) for message in messages]

    def events(self, messages: Iterable[table_pb2.Event]) -> list[Any]:
        """Return the events that this client understands; a newer server may send others."""
        found = []
        for message in messages:
            try:
                found.append(self._translator.event_from(message))
            except NotUnderstood:
                continue
        return found

    def view(self, message: Any) -> View | None:
        """Return the view that *message* carries, if it carries one."""
        return self._translator.view_from(message.view) if message.HasField("view") else None

    def state(self, message: rpc.GetMatchResponse) -> State:
        """Return a match as its caller may see it."""
        return State(
            self.match(message.match),
            self.decisions(message.decisions),
            self.view(message),
            message.resume_token,
            seats_present(message.presence),
        )

    def submitted(self, message: rpc.SubmitAnswersResponse) -> Submitted:
        """Return the result of an answer."""
        return Submitted(
            revision=message.revision,
            applied=message.applied,
            refusal=refusal_from(message.refusal) if message.HasField("refusal") else None,
            replayed=message.replayed,
            durability=_enum(Durability, message.durability),
            events=self.events(message.events),
            decision=self.decision(message.decision) if message.HasField("decision") else None,
            status=_enum(Status, message.status),
            resume_token=message.resume_token,
        )

    def update(self, message: rpc.WatchMatchResponse) -> Update | None:
        """Return the update of one message of a watch; ``None`` if nothing changed."""
        kind = message.WhichOneof("update")
        if kind == "snapshot":
            snapshot = message.snapshot
            info = self.match(snapshot.match)
            return Update(
                message.revision,
                [],
                self.decisions(snapshot.decisions),
                self.view(snapshot),
                info.status,
                message.resume_token,
                info,
                _enum(Restart, snapshot.cause),
                info.clocks,
            )
        if kind == "change":
            change = message.change
            return Update(
                message.revision,
                self.events(change.events),
                self.decisions(change.decisions),
                self.view(change),
                _enum(Status, change.status),
                message.resume_token,
                clocks=seat_clocks(change.clocks),
            )
        return None

    def live_update(self, message: rpc.WatchMatchResponse, status: Status) -> Update | None:
        """Return the presence or reaction of one message of a watch; *status* is the last known."""
        at, token, said = message.revision, message.resume_token, message.reaction
        kind = message.WhichOneof("update")
        if kind == "presence":
            present = seats_present(message.presence)
            return Update(at, [], [], None, status, token, presence=present)
        if kind == "reaction":
            reaction = SeatReaction(said.seat, _enum(Reaction, said.reaction))
            return Update(at, [], [], None, status, token, reaction=reaction)
        return None

    def past(self, revision: int, message: rpc.GetMatchViewResponse) -> PastView:
        """Return a seat's view at an earlier revision."""
        view = self.view(message)
        if view is None:
            raise NotUnderstood("the answer holds no view")
        return PastView(
            revision, view, self.decisions(message.decisions), self.events(message.events)
        )

    def revision(self, message: rpc.RevisionEvents) -> RevisionEvents:
        """Return what happened at one revision."""
        return RevisionEvents(
            message.revision,
            self.events(message.events),
            _enum(Status, message.status),
            message.time.ToDatetime(UTC),
        )

    def record(self, message: match_pb2.MatchRecord) -> dict[str, Any]:
        """Return a record as plain data, unverified."""
        info = self.match(message.match)
        return {
            "format": record.FORMAT,
            "match_id": info.match_id,
            "game": info.game,
            "rules_version": info.rules_version,
            "data_digest": info.data_digest,
            "setup": setups.to_data(self.game, info.setup),
            "seats": [seat.name for seat in info.seats],
            "secret": info.secret,
            "secret_digest": info.secret_digest,
            "start_digest": message.start_digest.hex(),
            "commands": [[seat_in(c), self._notation(c)] for c in message.commands],
            "digests": [c.digest.hex() for c in message.commands],
            "result": {} if info.result is None else record.result_data(info.result),
        }

    def _notation(self, message: match_pb2.RecordedCommand) -> str:
        if message.meta_command:
            return write_meta_command(meta_command_from(message))
        steps = [self._translator.command_from(command) for command in message.commands]
        return record.action_text(self.game, whole(steps))


def explained(message: rpc.ExplainCommandResponse) -> Explained:
    """Return whether a command is legal, and why not."""
    return Explained(
        message.legal,
        refusal_from(message.refusal) if message.HasField("refusal") else None,
        message.rule_text,
    )


def game_named_by(message: match_pb2.Match) -> str:
    """Return the id of the game that a match is of."""
    return message.game or game_of(message.setup)


def _enum(kind: Any, number: int) -> Any:
    try:
        return kind(number)
    except ValueError:
        return kind(0)
