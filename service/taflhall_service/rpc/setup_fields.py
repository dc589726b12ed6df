"""The fields of a game's setup, described so that a form can be built from them."""

from __future__ import annotations

import json
from typing import Any

from taflhall.v1 import catalog_service_pb2 as pb
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.notation import NOTHING
from taflhall_wire.texts import Texts


def setup_fields(game: Game, texts: Texts | None) -> list[pb.SetupField]:
    """Return the fields of the setup of *game*, in the order in which it declares them."""
    defaults = setups.to_data(game, game.setup_kind())
    return [_field(game, name, value, texts) for name, value in defaults.items()]


def _field(game: Game, name: str, default: Any, texts: Texts | None) -> pb.SetupField:
    field = pb.SetupField(
        name=name,
        repeated=isinstance(default, list),
        default_json=json.dumps(None if _is_open(name, default) else default),
        text="" if texts is None else texts.setup_field(name),
        rule=game.setup_rules[name],
    )
    names = game.labels.get(name)
    if isinstance(default, bool):
        field.type = pb.SetupField.TYPE_BOOL
    elif names is not None:
        field.type = pb.SetupField.TYPE_NAME
        for number, label in enumerate(names):
            text = "" if texts is None else texts.label(name, number)
            field.values.add(number=number + 1, name=label, text=text)
    else:
        field.type = pb.SetupField.TYPE_INTEGER
        field.min, field.max = game.setup_ranges[name]
    return field


def _is_open(name: str, default: Any) -> bool:
    """Return whether a default leaves the field to chance or to the rest of the setup."""
    return default == NOTHING or (name == "seats" and not default)
