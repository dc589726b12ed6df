"""Descriptions of small tournaments."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
LINE_BOT = f"{sys.executable} {HERE / 'line_bot.py'}"


@pytest.fixture
def describe(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a description and returns its file."""

    def write(*entrants: str, head: str = "", **fields: Any) -> Path:
        given = {"game": '"champions"', "seats": 2, "seed": 3, **fields}
        lines = [f"{name} = {value}" for name, value in given.items()]
        lines.append(head)
        for number, entrant in enumerate(entrants):
            key = "command" if " " in entrant else "bot"
            lines.append(f'[[entrants]]\nname = "{chr(97 + number)}"\n{key} = "{entrant}"')
        file = tmp_path / "cup.toml"
        file.write_text("\n".join(lines), "utf-8")
        return file

    return write
