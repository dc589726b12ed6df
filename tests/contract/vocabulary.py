"""Compares the vocabulary of a game's engine with that of its proto package."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FileDescriptor

from taflhall_engine.kernel.agenda import Command, Event, Step, Waiting
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value, field_names
from taflhall_engine.kernel.vocabulary import OWN

GROUPS: dict[str, type] = {"Command": Command, "Decision": Waiting, "Event": Event}
"""The oneofs of a package, and what their messages are classes of."""


def differences(game: Game, file: FileDescriptor) -> list[str]:
    """Return every way in which *file* does not speak as *game* does, in words."""
    found = []
    for group in GROUPS:
        found += differences_of_group(game, file, group)
    known = messages_of(game, file.message_types_by_name)
    for name, kind in known.items():
        message = file.message_types_by_name.get(name)
        if message is None:
            found.append(f"{name} has no message")
            continue
        found += differences_of_fields(name, kind, message)
        found += differences_of_words(game, kind, message)
    for name in file.message_types_by_name:
        if name not in known and name not in GROUPS:
            found.append(f"the message {name} has no class")
    found += unused_enums(file)
    return found


def differences_of_group(game: Game, file: FileDescriptor, group: str) -> list[str]:
    """Compare the oneof of *group* with the classes that belong there."""
    message = file.message_types_by_name.get(group)
    if message is None or "kind" not in message.oneofs_by_name:
        return [f"there is no message {group} with a oneof kind"]
    oneof = message.oneofs_by_name["kind"]
    members = {f.name: f.message_type.name for f in oneof.fields if f.message_type}
    wanted = {snake(name): name for name, kind in contract_types(game, GROUPS[group]).items()}
    found = [f"{group} lacks {name}" for name in wanted if name not in members]
    found += [f"{group} has {name}, which is not a class" for name in members if name not in wanted]
    found += [
        f"{group}.{name} is a {members[name]}, not a {kind}"
        for name, kind in wanted.items()
        if name in members and members[name] != kind
    ]
    if len(message.fields) != len(members):
        found.append(f"{group} has fields outside its oneof")
    return found


def differences_of_fields(name: str, kind: type, message: Descriptor) -> list[str]:
    wanted, have = list(field_names(kind)), [field.name for field in message.fields]
    if name == "Setup":  # the number of seats is outside the game's own setup
        wanted.remove("seats")
    if sorted(wanted) == sorted(have):
        return []
    return [f"{name} has the fields {', '.join(wanted)}; its message has {', '.join(have)}"]


def differences_of_words(game: Game, kind: type, message: Descriptor) -> list[str]:
    """Compare the enums of *message*'s fields with the words that the engine has for them.

    A field of a view that the notation never writes has no words of its own: its enum has to be
    one of the game's vocabularies all the same.
    """
    found = []
    noted = issubclass(kind, Command | Step | Event)
    for field in message.fields:
        if field.enum_type is None:
            continue
        names, words = words_of(field.enum_type), game.labels.get(field.name)
        known = [words] if words is not None else [] if noted else list(game.labels.values())
        if not any(agree(names, vocabulary) for vocabulary in known):
            place = f"{message.name}.{field.name}"
            found.append(f"{place}: {field.enum_type.name} says {names}, the engine {words}")
    return found


def agree(names: list[str], words: list[str]) -> bool:
    """Return whether an enum says *words*; one that no enum could say (`hel!`) has only a place."""
    return len(names) == len(words) and all(
        one == word or not re.fullmatch("[a-z0-9_]+", word)
        for one, word in zip(names, words, strict=True)
    )


def words_of(enum: EnumDescriptor) -> list[str]:
    """Return the names of *enum* as the engine writes them, without UNSPECIFIED."""
    prefix = snake(enum.name).upper() + "_"
    values = sorted(enum.values, key=lambda value: value.number)
    return [value.name.removeprefix(prefix).lower() for value in values[1:]]


def unused_enums(file: FileDescriptor) -> list[str]:
    used = {
        field.enum_type.full_name
        for message in file.message_types_by_name.values()
        for field in message.fields
        if field.enum_type is not None
    }
    return [
        f"the enum {name} is used nowhere"
        for name, enum in file.enum_types_by_name.items()
        if enum.full_name not in used
    ]


def messages_of(game: Game, messages: Collection[str]) -> dict[str, type]:
    """Return every class that has a message: commands, decisions, events and values of views.

    Other values occur on the table only and have no message.
    """
    known: dict[str, type] = {"Setup": game.setup_kind}
    for group in GROUPS.values():
        known |= contract_types(game, group)
    views = game.types["PublicView"].__module__
    for name, kind in game.types.items():
        seen = kind.__module__ == views or name in messages
        if seen and issubclass(kind, Value) and not issubclass(kind, Command | Step | Event):
            known[name] = kind
    return known


def contract_types(game: Game, group: type) -> dict[str, Any]:
    """Return the game's own classes of *group*."""
    return {n: k for n, k in game.types.items() if issubclass(k, group) and k not in OWN}
