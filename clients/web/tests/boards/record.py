"""Play random matches of a game, and write what their seats see and are to decide.

Usage: record.py GAME SEED MATCHES. The first line is the catalogue's answer in English; each
further one a view and, but for the end of a match, the decision of its seat with all options.
All are messages of the contract in base64.
"""

from __future__ import annotations

import asyncio
import random
import sys
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Final

from google.protobuf.message import Message

from taflhall.v1 import catalog_service_pb2
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.model.limits import Limits
from taflhall_service.rpc.catalog_service import CatalogService
from taflhall_wire.translate import translator

MAX_OPTIONS: Final = 256
"""A decision has no more of them in the contract."""

SETUPS: Final[dict[str, list[dict[str, Any]]]] = {
    "champions": [
        {"seats": seats, "near_shores": seats % 2, "leftmost_shore": seats // 4}
        for seats in (2, 3, 4)
    ],
    "ice_garden": [
        {"seats": 4},
        {"seats": 2, "edition": 1},
        {"seats": 3, "advanced_order_tokens": True, "vuko_tiles": 2},
        {"seats": 1, "solo_level": 4},
        {"seats": 4, "edition": 1, "advanced_order_tokens": True, "vuko_tiles": 1},
        {"seats": 1, "solo_level": 1, "edition": 1},
    ],
    "yggdrasil": [
        {"seats": 1},
        {"seats": 3, "furious": 6, "ragnarok": 4, "bag_inspection": 1},
        {"seats": 6, "furious": 3},
        {"gods": [0, 4, 3], "ragnarok": 2},
    ],
}
"""Every kind of set-up that changes what is drawn."""


def main(name: str, seed: int, matches: int) -> None:
    game = registry.game(name)
    request = catalog_service_pb2.GetGameRequest(game=name, language="en")
    catalogue = asyncio.run(CatalogService(Limits()).GetGame(request, Identity()))
    sys.stdout.write(f"{b64encode(catalogue).decode()}\n")
    for number in range(seed, seed + matches):
        for view, decision in played(game, number):
            sys.stdout.write(f"{coded(view)} {coded(decision) if decision else ''}\n")


def coded(message: Message) -> str:
    return b64encode(message.SerializeToString()).decode()


def played(game: Game, number: int) -> Iterator[tuple[Message, Message | None]]:
    """Yield the decisions of a random match with the views of their seats, then the end."""
    rng = random.Random(number)
    setups = SETUPS[game.id]
    table = game.new(game.setup_kind(**setups[number % len(setups)]), FastChance(number))
    words = translator(game)
    while (step := waiting(table)) is not None:
        seat = rng.choice(step.seats(table))
        choices = options(table, seat)
        shown = choices if len(choices) <= MAX_OPTIONS else rng.sample(choices, MAX_OPTIONS)
        decision = words.decision_to(step, seat, "", shown)
        yield words.view_to(game.view(table, seat)), decision
        apply(table, seat, rng.choice(choices))
    yield words.view_to(game.view(table, -1)), None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
