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
    if not path.exists():
        return {}
    found: dict[Key, str] = {}
    for entry in tomllib.loads(path.read_text("utf-8"))["survivor"]:
        nth = entry.get("nth", 1)
        for n in nth if isinstance(nth, list) else [nth]:
            key = (entry["module"], entry["function"], entry["was"], entry["now"], n)
            assert key not in found, f"{path.name} explains {key} twice"
            assert len(entry["reason"]) > 10, f"{path.name} gives no reason for {key}"
            found[key] = entry["reason"]
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
