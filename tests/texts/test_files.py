"""The files of texts are complete in both languages, and hold nothing that nobody reads."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast

from taflhall_client import terminal
from taflhall_engine import registry
from taflhall_engine.champions.view import Score
from taflhall_engine.kernel import vocabulary
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.texts import KERNEL, TextFile, read_texts
from taflhall_engine.kernel.value import field_names
from taflhall_wire.texts import Texts

LANGUAGES = {"en", "de"}


PACKAGES = {"terminal": "taflhall_client.terminal"}
"""Those whose texts are not below ``taflhall_engine``."""


def own(name: str) -> TextFile:
    return read_texts(PACKAGES.get(name, f"taflhall_engine.{name}"))


@pytest.mark.parametrize("name", ["kernel", "terminal", *registry.GAMES])
def test_every_text_is_there_in_both_languages(name: str) -> None:
    assert {key: set(texts) for key, texts in own(name).patterns.items()} == dict.fromkeys(
        own(name).patterns, LANGUAGES
    )


@pytest.mark.parametrize("name", ["kernel", "terminal", *registry.GAMES])
def test_every_pattern_is_fluent(name: str) -> None:
    parser = FluentParser()
    for key, texts in own(name).patterns.items():
        for tag, pattern in texts.items():
            lines = "\n    ".join(pattern.splitlines())
            entry = parser.parse_entry(f"x =\n    {lines}\n")
            assert isinstance(entry, ast.Message), f"{key} {tag}: {pattern}"


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_command_event_decision_and_setup_field_has_a_text(name: str) -> None:
    expected = set(named(registry.game(name)))
    sections = {key.partition(".")[0] for key in expected}
    found = {key for key in own(name).patterns if key.partition(".")[0] in sections}
    assert found == expected


def named(game: Game) -> Iterator[str]:
    for section, classes in (
        ("option", vocabulary.commands_of(game.types)),
        ("event", vocabulary.events_of(game.types)),
        ("decision", vocabulary.decisions_of(game.types)),
    ):
        for class_name in classes:
            yield f"{section}.{class_name}"
    for field in field_names(game.setup_kind):
        yield f"setup.{field}"


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_refusal_has_a_text_and_every_text_of_a_refusal_a_refusal(name: str) -> None:
    shared = read_texts(KERNEL).patterns
    used = set()
    for refusal in refusals(f"taflhall_engine.{name}"):
        key = f"refusal.{refusal.code}"
        own_key = f"{key}.{refusal.rule}"
        used.add(own_key if own_key in own(name).patterns else key)
    written = {key for key in own(name).patterns if key.startswith("refusal.")}
    assert used - set(shared) == written


def test_every_refusal_of_the_kernel_has_a_text() -> None:
    found = {f"refusal.{refusal.code}" for refusal in refusals(KERNEL)}
    written = {key for key in read_texts(KERNEL).patterns if key.startswith("refusal.")}
    assert found == written


def refusals(package: str) -> Iterator[Refusal]:
    """Yield every refusal that a module of *package* defines or uses."""
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Refusal):
                yield value


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_caption_is_drawn(name: str) -> None:
    folder = Path(terminal.__file__).parent
    source = "".join(path.read_text("utf-8") for path in folder.glob(f"{name}*.py"))
    source = source.replace("'", '"')
    for key in own(name).patterns:
        section, _, caption = key.partition(".")
        if section == "table":
            prefix = caption.partition("_")[0]
            assert f'"{caption}"' in source or f'f"{prefix}_{{' in source, key


def test_every_part_of_a_score_has_a_text() -> None:
    written = {key for key in own("champions").patterns if key.startswith("score.")}
    assert written == {f"score.{part}" for part in field_names(Score)}


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_label_has_a_name_that_is_no_identifier(name: str) -> None:
    game = registry.game(name)
    for tag in LANGUAGES:
        texts = Texts(game, tag, strict=True)
        for field, ids in game.labels.items():
            for number, one in enumerate(ids):
                label = texts.label(field, number)
                assert "_" not in label, f"{field} {one}"
                assert label or not one, f"{field} {one}"


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_label_text_names_a_label(name: str) -> None:
    labels = registry.game(name).labels
    for key in own(name).patterns:
        section, _, rest = key.partition(".")
        if section == "label":
            field, _, one = rest.partition(".")
            assert one in labels[field], key


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_shared_part_is_used(name: str) -> None:
    file = own(name)
    patterns = [pattern for texts in file.patterns.values() for pattern in texts.values()]
    for key in file.patterns:
        if key.startswith("part."):
            reference = f"{{ {key.replace('.', '-')} }}"
            assert any(reference in pattern for pattern in patterns), key


def test_the_kernel_has_a_text_for_each_of_its_events() -> None:
    found = {key for key in read_texts(KERNEL).patterns if key.startswith("event.")}
    assert found == {
        *(f"event.{kind.__name__}" for kind in vocabulary.OWN),
        "event.Answered.hidden",
    }


SAME = {"Freihoff", "van", "Dyken", "Callo", "Fjollsfinn", "Vuko", "Drakkainen", "NPC"}
SAME |= {"Champions", "of", "Midgard", "Yggdrasil", "Odin", "neutral"}
"""Names and words that are the same in both languages."""


@pytest.mark.parametrize("name", ["kernel", "terminal", *registry.GAMES])
def test_what_is_the_same_in_both_languages_is_a_name(name: str) -> None:
    for key, texts in own(name).patterns.items():
        if texts["en"] == texts["de"]:
            words = re.findall(r"[^\W\d_]{2,}", strip_placeables(texts["de"]))
            assert set(words) <= SAME, key


def test_german_has_no_english_word() -> None:
    slips = ("easy", "base4", "seat", "Seat", "draw", "token", "score", "points", "level", "of the")
    for name in ("kernel", *registry.GAMES):
        for key, texts in own(name).patterns.items():
            words = strip_placeables(texts["de"])
            assert not [slip for slip in slips if slip in words.split()], key


def strip_placeables(pattern: str) -> str:
    """Return the words of a pattern without variables, terms, parts and keys of variants."""
    return re.sub(r"\{ [-$]?[\w-]+ (\}|->)|\*?\[[^\]]*\]|[{}\"]", " ", pattern)


def test_every_text_of_the_terminal_is_used() -> None:
    folder = Path(terminal.__file__).parent.parent
    source = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    for key in own("terminal").patterns:
        section = re.split(r"[._]", key)[0]
        assert f'"{key}"' in source or f'f"{section}' in source, key
