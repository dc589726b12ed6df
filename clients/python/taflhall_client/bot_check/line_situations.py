"""Situations for programs that speak the line protocol."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from taflhall_client.bot import Resign
from taflhall_client.bot_check.bench import Bench, ProgramSubject, Wrong
from taflhall_client.bot_check.positions import Position
from taflhall_client.bot_check.situations import Situation
from taflhall_client.tournament.line_program import (
    BotEnded,
    BotSilent,
    LineProgram,
    ProtocolError,
)
from taflhall_client.tournament.line_protocol import chosen, decide_message, start_message
from taflhall_engine.kernel import setups

QUIET: Final = 1.5
"""Seconds in which nothing is asked."""
TO_END: Final = 5.0
"""Seconds that a program gets to end by itself."""
UNKNOWN: Final = {"from_a_newer_version": {"level": [1, 2]}}
"""Fields that a program does not know."""


def waits_for_a_late_prompt(bench: Bench) -> str:
    """Write nothing while nothing is asked, and answer then."""
    with _Talk.begun(bench) as talk:
        talk.expect_silence()
        talk.ask()
        talk.expect_silence()
    return ""


def ignores_unknown_fields(bench: Bench) -> str:
    """Answer though every message has unknown fields, and one is of an unknown type."""
    with _Talk.begun(bench, UNKNOWN) as talk:
        talk.send({"type": "news", "text": "a message of a newer version"})
        talk.ask(UNKNOWN)
    return ""


def copes_with_an_unknown_option(bench: Bench) -> str:
    """Answer a decision with a command and a rule that it does not know."""
    with _Talk.begun(bench) as talk:
        message = talk.question()
        message["options"].insert(1, {"command": "teleport gate=3", "rule": "XX-1"})
        talk.put(message)
    return ""


def answers_an_invalid_line_with_nothing(bench: Bench) -> str:
    """Ignore a line that is not a message, or end with a status that says so."""
    with _Talk.begun(bench) as talk:
        talk.program.send_line('{"type": "decide", "id": ')
        try:
            said = talk.program.receive(QUIET)
        except BotSilent:
            talk.ask()
        except BotEnded:
            if talk.program.exit_status(TO_END) == 0:
                raise Wrong("it ended with status 0 after a line that is no message") from None
        else:
            raise Wrong(f"it answered a line that is no message: {said}")
    return ""


def ends_with_the_match(bench: Bench) -> str:
    """End by itself when the match ends while it is thinking."""
    with _Talk.begun(bench) as talk:
        talk.send(talk.question())
        talk.send({"type": "end", "places": [], "won": [], "scores": []})
        status = talk.program.exit_status(TO_END)
    if status is None:
        raise Wrong(f"it was still running {TO_END:g} s after the end of the match")
    if status != 0:
        raise Wrong(f"it ended with status {status} when the match ended while it was thinking")
    return ""


def ends_with_its_input(bench: Bench) -> str:
    """End by itself when its input ends without an end of the match."""
    with _Talk.begun(bench) as talk:
        talk.ask()
        if talk.program.exit_status(TO_END) is None:
            raise Wrong(f"it was still running {TO_END:g} s after the end of its input")
    return ""


class _Talk:
    """Messages to a program and from it, one by one."""

    def __init__(self, bench: Bench, program: LineProgram, position: Position) -> None:
        self.program: Final = program
        self._bench: Final = bench
        self._position: Final = position
        self._number = 0

    @classmethod
    @contextmanager
    def begun(cls, bench: Bench, extra: dict[str, Any] | None = None) -> Iterator[_Talk]:
        """Start the program, with *extra* fields in the first message."""
        assert isinstance(bench.subject, ProgramSubject)
        position = bench.positions.longest
        limits = bench.limits
        words = setups.to_data(bench.game, position.setup)
        start = start_message(bench.game, position.seat, words, limits.decision_seconds)
        try:
            with LineProgram(bench.subject.command, limits) as program:
                talk = cls(bench, program, position)
                talk.send({**start, **(extra or {})})
                ready = program.receive(limits.start_seconds)
                if ready.get("type") != "ready":
                    raise Wrong(f'after start comes {{"type": "ready"}}, not {ready}')
                yield talk
        except (BotSilent, BotEnded, ProtocolError) as error:
            raise Wrong(str(error)) from None

    def send(self, message: dict[str, Any]) -> None:
        """Write a message."""
        self.program.send(message, self._bench.limits.decision_seconds)

    def question(self) -> dict[str, Any]:
        """Return a message that asks for a decision."""
        self._number += 1
        game, seconds = self._bench.game, self._bench.limits.decision_seconds
        view, decision = self._position.view(game), self._position.decision()
        return decide_message(game, self._number, view, decision, seconds)

    def ask(self, extra: dict[str, Any] | None = None) -> None:
        """Ask for a decision, with *extra* fields, and check the answer."""
        self.put({**self.question(), **(extra or {})})

    def put(self, question: dict[str, Any]) -> None:
        """Ask *question* and check the answer."""
        self.send(question)
        with suppress(Resign):
            chosen(self.program.receive(self._bench.limits.decision_seconds), question)

    def expect_silence(self) -> None:
        """Wait a while in which nothing may be written."""
        try:
            said = self.program.receive(QUIET)
        except BotSilent:
            return
        raise Wrong(f"it wrote {said} though nothing was asked")


SITUATIONS: Final[dict[str, Situation]] = {
    "waits for a late prompt": waits_for_a_late_prompt,
    "ignores unknown fields and messages": ignores_unknown_fields,
    "copes with an unknown option": copes_with_an_unknown_option,
    "does not answer an invalid line": answers_an_invalid_line_with_nothing,
    "ends with the match": ends_with_the_match,
    "ends with its input": ends_with_its_input,
}
