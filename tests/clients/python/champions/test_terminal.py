"""Champions of Midgard in a terminal: everything a player needs is on the screen."""

import io
import re
from typing import Any

from rich.console import Console

from taflhall_client import terminal
from taflhall_engine import registry
from taflhall_engine.champions.rules.sage import VisitSagesHut
from taflhall_engine.kernel.agenda import apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance

GAME: Any = registry.game("champions")


def started(seed=1, **setup):
    s = GAME.new(GAME.setup_kind(**setup), FastChance(seed))
    while type(waiting(s)).__name__ == "ChooseLeader":
        [seat] = asked(s)
        apply(s, seat, options(s, seat)[0])
    return s


def screen(s, seat, language="en"):
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(terminal.draw(GAME, GAME.view(s, seat), (), language))
    return re.sub(r"\s+", " ", console.export_text())


def test_the_whole_table_is_drawn():
    text = screen(started(), 0)
    for component in GAME.catalog:
        if component.kind == "location" and not component.id.startswith(
            ("stall", "troll", "draugr")
        ):
            assert component.name in text or component.id.startswith(("ship", "beg"))
    assert "Round 1 of 8" in text
    assert "Worker Huts (5 coins)" in text
    assert text.count("glory") > 6


def test_enemies_show_values_rewards_and_bans():
    s = started(seats=3)
    text = screen(s, -1)
    components = GAME.components
    for enemy in [s.troll, *s.draugr, *s.monsters]:
        component = next(c for c in GAME.catalog if c.id == components.ids[enemy])
        assert component.name in text
        assert f"{components.glory[enemy]} glory" in text


def test_only_the_viewer_sees_its_secrets():
    s = started(seats=2)
    [seat] = asked(s)
    apply(s, seat, VisitSagesHut(4))
    while type(waiting(s)).__name__ == "KeepDestiny":
        apply(s, seat, options(s, seat)[0])
    journey = next(
        c.name for c in GAME.catalog if c.kind == "journey" and c.number == s.journeys[3]
    )
    assert f"near ({journey})" in screen(s, seat)
    assert f"near ({journey})" not in screen(s, 1 - seat)
    assert "your destinies" in screen(s, seat)
    assert "your destinies" not in screen(s, -1)


def test_german_is_german():
    text = screen(started(), 0, "de")
    assert "Runde 1 von 8" in text
    assert "Arbeiterhütten (5 Münzen)" in text
    assert "deine Schicksale" in text
    assert "glory" not in text
