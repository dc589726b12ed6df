"""The texts of the terminal itself: ``data/texts.toml``, written as the texts of games are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taflhall_wire.texts.localization import Localization


@cache
def _texts(language: str) -> Localization:
    from taflhall_engine.kernel.texts import read_texts
    from taflhall_wire.texts.localization import Localization

    return Localization(read_texts("taflhall_client.terminal"), language)


def words(key: str, language: str, **values: object) -> str:
    """Return a text in *language* or, where that lacks it, in English."""
    arguments = {name: str(value) for name, value in values.items()}
    return _texts(language).format(key, arguments, strict=True)
