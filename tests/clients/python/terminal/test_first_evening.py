"""docs/first-evening.md: what it quotes stands on the first screens, at every size."""

import re
from pathlib import Path

import pytest

from taflhall_client.terminal.play.app import PlayApp
from taflhall_client.terminal.play.pane import Pane
from taflhall_client.terminal.play.screen import Screen
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.setups import from_text
from tests.clients.python.terminal.fakes import FakeSession, decision_of
from tests.waiting import until

DOC = Path(__file__).parents[4] / "docs/first-evening.md"
SEED = 2
CHOICES = {"yggdrasil": "ChooseAction", "champions": "PlaceWorker", "ice_garden": "PlanMarker"}
"""The decision that is the first real choice of each game."""


def first_choice(game, kind):
    """The first table that rests on that decision; the first option is taken before."""
    table = game.new(from_text(game, ["seats=2"]), FastChance(SEED))
    while (step := waiting(table)) is not None and type(step).__name__ != kind:
        seat = step.seats(table)[0]
        apply(table, seat, next(iter(options(table, seat))))
    return table


def quotes(title):
    """What the document quotes from the screen of the game with this title."""
    section = DOC.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"`([^`]+)`", section)


def joined(text):
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", sorted(CHOICES))
async def test_the_answers_stand_on_the_first_screen(name, size):
    game = registry.game(name)
    session = FakeSession(game)
    app = PlayApp(session, Screen(game, "en", (0, 1)))
    async with app.run_test(size=size) as pilot:
        session.queue.put_nowait(decision_of(game, first_choice(game, CHOICES[name])))
        await until(lambda: app.query_one("#options", Pane).text)
        await pilot.pause()
        panes = [app.query_one(f"#{pane}", Pane).text for pane in ("table", "options")]
        shown = joined("\n".join([app.model.status, *panes]))
    wanted = quotes(game.title)
    assert len(wanted) >= 7
    assert [quote for quote in wanted if joined(quote).strip() not in shown] == []
