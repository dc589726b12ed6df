"""The screen as a textual application: keys, clicks, sizes, and what is drawn."""

from dataclasses import replace
from time import monotonic

import pytest

from taflhall_client.bots.random import Random
from taflhall_client.local import LocalMatch
from taflhall_client.terminal.play import app as app_module
from taflhall_client.terminal.play.app import PlayApp
from taflhall_client.terminal.play.local import LocalSession
from taflhall_client.terminal.play.pane import Pane
from taflhall_client.terminal.play.screen import Screen
from taflhall_engine import registry
from taflhall_engine.kernel.setups import from_text
from tests.clients.python.terminal.fakes import FakeSession, first_decision
from tests.waiting import until

GAMES = list(registry.GAMES)
SIZES = [*[(name, (80, 24)) for name in GAMES], ("champions", (120, 40)), ("ice_garden", (200, 60))]


def fake(name="yggdrasil"):
    session = FakeSession(registry.game(name))
    return session, PlayApp(session, Screen(session.game, "en", (0, 1)))


def answered(screen, decision):
    """Whether the screen no longer asks for that decision."""
    return lambda: screen.decision is not decision


async def shown(pilot, app):
    """Wait until the decision is drawn, so that keys count."""
    await until(lambda: app.model.decision is not None and app.model.input.counts(monotonic()))
    await pilot.pause()


async def test_a_typed_number_and_enter_answer(monkeypatch):
    session, app = fake("champions")
    async with app.run_test(size=(80, 24)) as pilot:
        session.queue.put_nowait(first_decision("champions"))
        await shown(pilot, app)
        await pilot.press("2", "enter")
        await until(lambda: session.asked)
        decision = app.model.decision
        assert session.asked[0][:3] == ("answer", "1", decision.options[1])


async def test_keys_typed_before_a_decision_never_answer_it():
    session, app = fake("champions")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "2")
        session.queue.put_nowait(first_decision("champions"))
        await shown(pilot, app)
        assert app.model.input.text == ""
        await pilot.press("enter")
        await pilot.press("2")
        report = first_decision("champions", "2")
        session.queue.put_nowait(replace(report, revision=1))
        await until(lambda: app.model.decision.decision_id == "2")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert session.asked == []


async def test_only_a_decision_drops_keys_that_were_not_read_before_it_was_drawn(monkeypatch):
    dropped = []
    monkeypatch.setattr(app_module, "drop_unread_keys", lambda: dropped.append(1))
    session, app = fake("champions")
    async with app.run_test(size=(80, 24)) as pilot:
        session.queue.put_nowait(first_decision("champions"))
        await shown(pilot, app)
        assert dropped == [1]
        session.queue.put_nowait(replace(first_decision("champions"), decisions=[], revision=1))
        await until(lambda: app.model.decision is None and app.model.input.counts(monotonic()))
        assert dropped == [1]


async def test_arrows_look_at_an_option_and_enter_takes_it():
    session, app = fake("champions")
    async with app.run_test(size=(120, 40)) as pilot:
        session.queue.put_nowait(first_decision("champions"))
        await shown(pilot, app)
        await pilot.press("down", "down")
        assert app.model.selected == 2
        assert app.model.offers[1].text in app.query_one("#detail", Pane).text.replace("\n", " ")
        await pilot.press("enter")
        await until(lambda: session.asked)
        assert session.asked[0][2] == app.model.offers[1].choice


async def test_a_click_looks_and_a_second_click_takes():
    session, app = fake("champions")
    async with app.run_test(size=(120, 40)) as pilot:
        session.queue.put_nowait(first_decision("champions"))
        await shown(pilot, app)
        await pilot.click("#options", offset=(6, 0))
        await until(lambda: app.model.selected == 1)
        assert session.asked == []
        await pilot.click("#options", offset=(6, 0))
        await until(lambda: session.asked)


async def test_tab_gives_the_screen_to_one_pane_and_escape_returns():
    session, app = fake()
    async with app.run_test(size=(80, 24)) as pilot:
        session.queue.put_nowait(first_decision())
        await shown(pilot, app)
        await pilot.press("tab")
        assert not app.query_one("#side").display
        await pilot.press("escape")
        assert app.query_one("#side").display


@pytest.mark.parametrize(("name", "size"), SIZES)
async def test_decisions_are_answered_by_keys_at_every_size(name, size):
    """Beside a bot, at every size; the first option is taken, now and then the last."""
    game = registry.game(name)
    match = LocalMatch(game, from_text(game, ["seats=2"]), bytes(32))
    session = LocalSession(match, ["Ann", "Bob"], [0], [None, Random(game, 1)], "en")
    app = PlayApp(session, Screen(game, "en", (0,)))
    async with app.run_test(size=size) as pilot:
        for _ in range(3):
            await shown(pilot, app)
            before = app.model.decision
            assert app.query_one("#options", Pane).text
            assert app.query_one("#table", Pane).text
            await pilot.press("down", "enter")
            await until(answered(app.model, before))
        await pilot.press("left")
        await until(lambda: app.model.past is not None)
        await pilot.press("escape", "q", "enter")
