"""``taflhall cases``: runs conformance cases against the rules."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from taflhall_client.cli.common import FAILED, DataFolder, make_game
from taflhall_client.cli.output import say


class Unreadable(Exception):
    """A file that holds no cases."""


def cases(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="TOML files.")],
    data: DataFolder = None,
) -> None:
    """Run conformance cases; the last line is `N passed, N failed`.

    A file that cannot be read, an unknown key and a case that cannot be run are failures.
    """
    passed = failed = 0
    for file in files:
        for name, differences in _run(file, data):
            if differences:
                failed += 1
                say(f"FAILED {name}")
                for difference in differences:
                    say(f"    {difference}")
            else:
                passed += 1
    say(f"{passed} passed, {failed} failed")
    if failed:
        raise typer.Exit(FAILED)


def _run(file: Path, data: Path | None) -> list[tuple[str, list[str]]]:
    """Return every case of *file* with its differences; the file itself if it is at fault."""
    from taflhall_engine.conformance.cases import run_cases
    from taflhall_engine.kernel.components import InvalidData
    from taflhall_engine.registry import UnknownGame

    try:
        text, unknown = _read(file)
        game = make_game(_game_of(text), data)
    except (Unreadable, UnknownGame, InvalidData) as error:
        return [(str(file), [str(error)])]
    found = [(str(file), [f"unknown key {', '.join(unknown)}"])] if unknown else []
    for outcome in run_cases(game, text["case"]):
        found.append((f"{outcome.case} {outcome.title}".strip(), outcome.differences))
    return found


def _read(file: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the tables of *file* and the keys that no case file has."""
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    found = tables.get("case")
    if not isinstance(found, list) or not all(isinstance(case, dict) for case in found):
        raise Unreadable("holds no [[case]]")
    version = tables.get("format_version", 1)
    if version != 1:
        raise Unreadable(f"format_version {version!r} is not 1")
    return tables, [key for key in tables if key not in ("format_version", "game", "meta", "case")]


def _game_of(tables: dict[str, Any]) -> str:
    """Return the game of a case file: as it says, or else by the numbers of its rules."""
    from taflhall_engine import registry

    meta = tables.get("meta")
    named = tables.get("game", meta.get("game") if isinstance(meta, dict) else None)
    if isinstance(named, str):
        return named
    first = str(tables["case"][0].get("id", "")) if tables["case"] else ""
    for name in registry.GAMES:
        prefixes = {number.partition("-")[0] for number in registry.game(name).rulebook.rules}
        if first.partition("-")[0] in prefixes:
            return name
    raise Unreadable("names no game (the key 'game')")
