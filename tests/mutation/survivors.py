"""The mutants that no test notices, each with the reason: ``survivors/NAME.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from tests.mutation.mutants import Mutant

FOLDER: Final = Path(__file__).parent / "survivors"
Key = tuple[str, str, str, str, int]


def explained(name: str) -> dict[Key, str]:
    """Return the reasons of ``survivors/NAME.toml`` by the key of the mutant."""
    path = FOLDER / f"{name}.toml"
    return keys_in(path) if path.exists() else {}


def keys_in(path: Path) -> dict[Key, str]:
    """Return the reasons in a file of entries by the key of the mutant."""
    found: dict[Key, str] = {}
    for survivor in tomllib.loads(path.read_text("utf-8")).get("survivor", []):
        names = survivor["module"], survivor["function"], survivor["was"], survivor["now"]
        nth = survivor.get("nth", 1)
        for n in nth if isinstance(nth, list) else [nth]:
            assert (*names, n) not in found, f"{path.name} names {names} twice"
            found[*names, n] = survivor["reason"]
    return found


def entry(mutant: Mutant) -> str:
    """Return the entry of *mutant* for the file, without a reason."""
    nth = f"nth = {mutant.nth}\n" if mutant.nth > 1 else ""
    return (
        f'[[survivor]]\nmodule = "{mutant.path.stem}"\nfunction = "{mutant.function}"\n'
        f"was = {_quoted(mutant.was)}\nnow = {_quoted(mutant.now)}\n{nth}"
        f'reason = ""  # line {mutant.first}\n'
    )


def _quoted(text: str) -> str:
    return f"'''\n{text}'''" if "\n" in text or "'" in text else f"'{text}'"
