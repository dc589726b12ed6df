"""Messages that are the same for every game: refusals, meta commands and results."""

from __future__ import annotations

from collections.abc import Sequence

from taflhall.v1 import match_pb2
from taflhall.v1 import table_pb2 as pb
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.game import Game, NpcResult, Result, ScoreLine, View
from taflhall_engine.kernel.meta_commands import MetaCommand, undo
from taflhall_wire.mapping import NotUnderstood
from taflhall_wire.texts import Texts


def refusal_to(refusal: Refusal, texts: Texts | None = None) -> pb.Refusal:
    """Return the message of a refusal, with its text if *texts* are given."""
    text = "" if texts is None else texts.refusal(refusal)
    return pb.Refusal(rule=refusal.rule, code=refusal.code, text=text)


def refusal_from(message: pb.Refusal) -> Refusal:
    """Return the refusal of *message*."""
    return Refusal(message.rule, message.code)


def meta_command_to(command: MetaCommand) -> match_pb2.MetaCommand.ValueType:
    """Return the number of a meta command; an undo's target is a separate field."""
    return match_pb2.MetaCommand.Value(f"META_COMMAND_{command.name.upper()}")


def meta_command_from(message: match_pb2.RecordedCommand) -> MetaCommand:
    """Return the meta command of *message*, or raise :exc:`NotUnderstood` if it is an answer."""
    if message.meta_command not in match_pb2.MetaCommand.values() or not message.meta_command:
        raise NotUnderstood("not a meta command")
    name = match_pb2.MetaCommand.Name(message.meta_command).removeprefix("META_COMMAND_").lower()
    return undo(message.answers_undone) if message.answers_undone else MetaCommand(name)


def result_to(
    game: Game,
    result: Result,
    lines: Sequence[Sequence[ScoreLine]] = (),
    texts: Texts | None = None,
) -> pb.GameResult:
    """Return the message of a result; *lines* are those of each seat's score.

    With *texts* every reason, seat and line has a text.
    """
    message = pb.GameResult()
    for reason in result.reasons:
        text = "" if texts is None else texts.result_reason(reason)
        message.reasons.add(id=reason, text=text, rule=game.reason_rule(reason))
    for seat, won in enumerate(result.won):
        own = message.seats.add(seat=seat, won=won)
        if result.places:
            own.place = result.places[seat]
        if result.scores:
            own.score = result.scores[seat]
        if texts is not None:
            own.text = texts.result_line(result, seat)
        own.lines.extend(score_line_to(line, texts) for line in (lines[seat] if lines else ()))
    npc = result.npc
    if npc is not None:
        text = "" if texts is None else texts.npc_line(npc)
        message.npc.CopyFrom(pb.NpcResult(name=npc.name, won=npc.won, score=npc.score, text=text))
    return message


def score_line_to(line: ScoreLine, texts: Texts | None) -> pb.ScoreLine:
    """Return the message of a part of a score."""
    text = "" if texts is None else texts.score_line(line.id, line.points)
    return pb.ScoreLine(id=line.id, rule=line.rule, points=line.points, text=text)


def projection_to(game: Game, view: View, texts: Texts | None) -> pb.ScoreProjection:
    """Return the message of what the score would be if the match ended now, as *view* knows it.

    With *texts* every reason and line has a text.
    """
    message = pb.ScoreProjection()
    for seat, lines in enumerate(game.projected_lines(view)):
        own = message.seats.add(seat=seat, score=sum(line.points for line in lines))
        own.lines.extend(score_line_to(line, texts) for line in lines)
    for reason in game.labels.get("reasons", []):
        rule = game.reason_rule(reason)
        if rule:
            text = "" if texts is None else texts.result_reason(reason)
            message.reasons.add(id=reason, text=text, rule=rule)
    return message


def result_from(message: pb.GameResult) -> Result:
    """Return the result of *message*."""
    seats, npc = message.seats, message.npc
    return Result(
        [seat.won for seat in seats],
        [seat.place for seat in seats if seat.place],
        [seat.score for seat in seats if seat.HasField("score")],
        [reason.id for reason in message.reasons],
        NpcResult(npc.name, npc.won, npc.score) if message.HasField("npc") else None,
    )
