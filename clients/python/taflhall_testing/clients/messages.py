"""Makes the messages of the fake server from the data of a scenario."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.message import Message

from taflhall.v1 import match_service_pb2 as rpc
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_testing.clients.scenarios import Data, InvalidScenario
from taflhall_wire.translate import translator

USE: Final = "@use"
UNKNOWN: Final = "@unknown"
PROMPT: Final = "@prompt"


def message_from(data: Data, kind: type[Message], templates: Data) -> bytes:
    """Return the bytes of the message of *kind* that *data* describes."""
    plain = _completed(data, templates)
    unknown: list[tuple[list[str | int], int]] = []
    _take_unknown(plain, [], unknown)
    message = kind()
    try:
        json_format.ParseDict(plain, message)
    except json_format.ParseError as error:
        raise InvalidScenario(f"no {message.DESCRIPTOR.name}: {error}") from None
    for path, number in unknown:
        _at(message, path).MergeFromString(_field(number))
    return message.SerializeToString()


def _completed(data: Any, templates: Data) -> Any:
    """Return a copy of *data* in which the messages named are filled in."""
    if isinstance(data, list):
        return [_completed(item, templates) for item in data]
    if not isinstance(data, dict):
        return data
    own = {key: _completed(item, templates) for key, item in data.items() if key != USE}
    if PROMPT in own:
        return _merged(_prompt(own.pop(PROMPT)), own)
    if USE in data:
        if data[USE] not in templates:
            raise InvalidScenario(f"there is no message {data[USE]!r}")
        return _merged(_completed(templates[data[USE]], templates), own)
    return own


def _merged(base: Data, more: Data) -> Data:
    both = dict(base)
    for key, item in more.items():
        old = both.get(key)
        both[key] = _merged(old, item) if isinstance(old, dict) and isinstance(item, dict) else item
    return both


def _take_unknown(data: Any, path: list[str | int], found: list[Any]) -> None:
    if isinstance(data, dict):
        if UNKNOWN in data:
            found.append((path, data.pop(UNKNOWN)))
        for key, item in data.items():
            _take_unknown(item, [*path, key], found)
    elif isinstance(data, list):
        for index, item in enumerate(data):
            _take_unknown(item, [*path, index], found)


def _at(message: Message, path: list[str | int]) -> Message:
    found: Any = message
    for key in path:
        if isinstance(key, int):
            found = found[key]
            continue
        fields = found.DESCRIPTOR.fields
        found = getattr(found, next(f.name for f in fields if key in (f.json_name, f.name)))
    found.SetInParent()
    return found  # type: ignore[no-any-return]


def _field(number: int) -> bytes:
    """Return a length-delimited field of that *number*."""
    return _varint(number << 3 | 2) + _varint(7) + b"unknown"


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _prompt(decision_id: str) -> Data:
    """Return a prompt of the opening of a match of Yggdrasil, as data."""
    game = registry.game("yggdrasil")
    to = translator(game)
    s = game.new(game.setup_kind(seats=2), FastChance(2))
    step = waiting(s)
    assert step is not None
    decision = to.decision_to(step, 0, decision_id, options(s, 0))
    prompt = rpc.PlayPrompt(decision=decision, view=to.view_to(game.view(s, 0)))
    return json_format.MessageToDict(prompt)
