"""Everything that happens in random matches has a text in every language, and nothing raw in it."""

from __future__ import annotations

import re

import pytest

from taflhall_engine.kernel.agenda import asked, options
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.value import field_names
from taflhall_engine.registry import GAMES
from taflhall_wire.texts import Texts
from tests.engine.every_game import setups
from tests.engine.every_game.walk import Position, hold

LANGUAGES = ("en", "de")

RAW = re.compile(r"[_{}$\[\]]|\b(?:none|None)\b|  | [,.]|^\s|\s$")
"""What no text for people may hold: identifiers, placeholders, doubled spaces."""


def written(game: Game) -> dict[str, Texts]:
    return {tag: Texts(game, tag, strict=True) for tag in LANGUAGES}


@pytest.mark.parametrize("name", ["quay", *GAMES])
def test_options_decisions_and_events_of_random_matches_have_texts(name: str) -> None:
    both = written(setups.game(name))
    seen: set[str] = set()

    def law(at: Position) -> None:
        for texts in both.values():
            for event in at.events:
                for viewer in at.viewers:
                    seen_event = event.seen_by(viewer)
                    if seen_event is not None:
                        assert_clean(texts, seen_event, texts.event(seen_event), seen)
            result = at.game.result(at.s)
            for line in [] if result is None else texts.result_lines(result):
                assert_clean(texts, result, line, seen)
            for seat in asked(at.s):
                view = at.game.view(at.s, seat)
                assert_clean(texts, at.top, texts.decision(at.top, view), seen)
                listed = options(at.s, seat)
                shown = [texts.option(command, view) for command in listed]
                for command, text in zip(listed, shown, strict=True):
                    assert_clean(texts, command, text, seen)
                    assert_clean(texts, command, texts.option(command), seen)
                alike = [
                    (command, text)
                    for command, text in zip(listed, shown, strict=True)
                    if shown.count(text) > 1 and field_names(type(command)) != ("index",)
                ]
                assert not alike

    hold(name, law, every=3)
    assert len(seen) > 100


def assert_clean(texts: Texts, value: object, text: str, seen: set[str]) -> None:
    if text in seen:
        return
    seen.add(text)
    assert text, value
    assert not RAW.search(text), f"{value} in {texts.language}: {text!r}"
