"""The bot of The Lord of the Ice Garden."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_client.bot import Decision
from taflhall_client.bots import load
from taflhall_client.bots.ice_garden import Heuristic
from taflhall_client.bots.ice_garden_evaluation import WON, worth
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.snapshot import dump_table

GAME = registry.game("ice_garden")


@pytest.mark.parametrize("seat", [0, 2])
def test_it_beats_three_random_bots(seat):
    names = ["heuristic" if place == seat else "random" for place in range(4)]
    won = 0
    for match in range(2):
        bots = [load(name, GAME, seed=match * 4 + place) for place, name in enumerate(names)]
        setup = Setup(factions=[0, 1, 2, 3])
        result = play(GAME, bots, setup, secret=bytes([seat + match]) * 32).result
        won += result.won[seat]
    assert won >= 1


@pytest.mark.parametrize(
    "setup", [Setup(seats=1, solo_level=3, vuko_tiles=2), Setup(seats=2, edition=1, vuko_tiles=2)]
)
def test_it_answers_every_decision_legally_and_the_same_way_twice(setup):
    s: Any = GAME.new(setup, FastChance(2))
    bot, again = Heuristic(GAME, seed=1), Heuristic(GAME, seed=1)
    plies = 0
    while s.agenda:
        seat = s.agenda[-1].seats(s)[0]
        decision = Decision.of(seat, s.agenda[-1], options(s, seat))
        view = GAME.view(s, seat)
        before = dump_table(GAME, s) if plies % 20 == 0 else None
        chosen = bot.choose(view, decision)
        assert chosen in decision.options
        if before is not None:
            assert again.choose(view, decision) == chosen
            assert dump_table(GAME, s) == before
        apply(s, seat, chosen)
        plies += 1
    assert worth(s, s.winners[0]) == WON / len(s.winners)
