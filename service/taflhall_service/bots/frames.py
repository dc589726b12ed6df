"""Messages between a pool and its workers, each behind four bytes of length."""

from __future__ import annotations

from typing import Any, BinaryIO, Final

import msgspec

LENGTH_BYTES: Final = 4


class Task(msgspec.Struct, frozen=True):
    """A decision to be answered."""

    game: str
    table: Any
    """The table as a snapshot (:func:`~taflhall_engine.kernel.snapshot.dump_table`)."""
    seat: int
    seed: int
    plies: int
    """The work limit, in commands tried out; 0: the answer is chosen at random."""


class Answer(msgspec.Struct, frozen=True):
    """The answer of a bot: an option for each of its steps, and the CPU seconds that it took."""

    options: list[int]
    cpu_seconds: float
    error: str = ""
    """The class of the exception that the bot raised; empty if it answered."""


encode: Final = msgspec.msgpack.Encoder().encode
decode_task: Final = msgspec.msgpack.Decoder(Task).decode
decode_answer: Final = msgspec.msgpack.Decoder(Answer).decode


def frame(body: bytes) -> bytes:
    """Return *body* as it is sent."""
    return len(body).to_bytes(LENGTH_BYTES) + body


def read_frame(stream: BinaryIO) -> bytes:
    """Return the body of the next frame; empty at the end of *stream*."""
    head = stream.read(LENGTH_BYTES)
    return stream.read(int.from_bytes(head)) if len(head) == LENGTH_BYTES else b""
