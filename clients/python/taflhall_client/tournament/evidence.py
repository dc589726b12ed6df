"""The evidence of a bot's fault, as data: what it was asked, and all that it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from taflhall_client.errors import BotFailed
from taflhall_client.tournament.line_program import LineProgram
from taflhall_client.tournament.line_protocol import plain
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.meta_commands import RESIGN, Move

MOST: Final = 1000
"""The most lines of a traceback that are kept, and the most characters of each."""


def evidence(
    game: Game,
    failure: BotFailed,
    moves: Sequence[Move],
    seat: int,
    trace: Sequence[str] = (),
    program: LineProgram | None = None,
) -> dict[str, Any]:
    """Return the evidence of a *failure*: the first for which *seat* resigned among *moves*.

    *trace* is the traceback of the bot's exception.
    """
    before = moves.index((seat, RESIGN)) if (seat, RESIGN) in moves else len(moves)
    found: dict[str, Any] = {"seat": seat, "commands_before": before}
    decision, view = failure.decision, failure.view
    if decision is not None and decision.step is not None:
        found |= {
            "decision": notation.write(decision.step, game.labels),
            "rule": decision.rule,
            "options": [notation.write(option, game.labels) for option in decision.options],
        }
    if isinstance(view, View):
        found["view"] = {"public": plain(view.public), "private": plain(view.private)}
    if trace:
        found["traceback"] = [line[:MOST] for line in "".join(trace).splitlines()[-MOST:]]
    if program is not None:
        found["lines"] = program.transcript.splitlines()
        found["unread_bytes"] = program.unread.decode(errors="backslashreplace")
        found["stderr_tail"] = program.stderr_tail
    return found
