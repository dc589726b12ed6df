"""What the folder of the TypeScript client promises."""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "clients" / "typescript"
MAX_BOT_LINES = 25


def test_the_bot_of_the_readme_is_the_example_and_short():
    bot = (FOLDER / "examples/bot.ts").read_text("utf-8")
    assert bot in (FOLDER / "README.md").read_text("utf-8")
    assert len(bot.splitlines()) <= MAX_BOT_LINES


def test_the_lock_file_names_no_registry():
    lock = json.loads((FOLDER / "package-lock.json").read_text("utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
