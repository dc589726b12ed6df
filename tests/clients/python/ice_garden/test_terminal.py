"""The Lord of the Ice Garden at the terminal."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from taflhall_client import terminal
from taflhall_engine import registry
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance

GAME = registry.game("ice_garden")
SETUPS = [
    Setup(seats=4, vuko_tiles=2),
    Setup(seats=2, edition=1, vuko_tiles=1),
    Setup(seats=3, advanced_order_tokens=True),
    Setup(seats=1, solo_level=4, vuko_tiles=2),
]


def drawn(s: Any, language: str) -> str:
    console = Console(file=StringIO(), width=150)
    console.print(terminal.draw(GAME, GAME.view(s, 0), (), language))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_shows_map_tracks_and_sheets(language):
    rng = FastChance(8)
    for seed, setup in enumerate(SETUPS):
        s: Any = GAME.new(setup, FastChance(seed))
        for ply in range(400):
            if not s.agenda:
                break
            if ply % 60 == 0:
                text = drawn(s, language)
                assert ("Karte" if language == "de" else "Map") in text
                assert ("Toter Schnee" if language == "de" else "Dead Snow") in text
                for region in range(8):
                    if s.tile[region]:
                        assert f"r{region + 1}:" in text
                if not s.revealed:
                    assert f"r{s.tile.index(max(s.tile)) + 1}:?" in text or not any(s.tile)
            seat = s.agenda[-1].seats(s)[0]
            listed = options(s, seat)
            apply(s, seat, listed[rng.below(len(listed))])
        assert drawn(s, language)


def test_the_end_names_the_winner():
    s: Any = GAME.new(Setup(factions=[0, 2]), FastChance(1))
    s.reason = 2
    s.winners = [2]
    s.agenda.clear()
    assert "Callo" in drawn(s, "en").split("\n")[1]
    assert "individual goal" in drawn(s, "en")
    assert "individuelles Ziel" in drawn(s, "de")
