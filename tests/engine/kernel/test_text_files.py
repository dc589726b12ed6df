"""The files of texts for people: how a package's ``texts.toml`` is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from taflhall_engine.kernel.texts import TextFile, read_texts

TEXTS = """
[names]
owner = "seat"

[amounts]
price = ["gold", "wood"]

[card_rules]
troll = ["4.1"]

[title]
en = "Harbour"
de = "Hafen"

[option.Bid]
en = "bid { $coins }"

[option.Keep]
en = "keep"
de = "behalten"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / tmp_path.name  # never the same, since what has been read is kept
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "data" / "texts.toml").write_text(TEXTS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return folder.name


def test_patterns_are_found_by_key_and_language(package: str):
    assert read_texts(package) == TextFile(
        patterns={
            "title": {"en": "Harbour", "de": "Hafen"},
            "option.Bid": {"en": "bid { $coins }"},
            "option.Keep": {"en": "keep", "de": "behalten"},
        },
        names={"owner": "seat"},
        amounts={"price": ["gold", "wood"]},
        card_rules={"troll": ["4.1"]},
    )
