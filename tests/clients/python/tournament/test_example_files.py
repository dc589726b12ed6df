"""The ready tournaments of the examples run as they are, but for their length."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from taflhall_client import cli
from taflhall_client.tournament.description import read
from taflhall_client.tournament.journal import read_results
from taflhall_client.tournament.verify import differences
from taflhall_engine import registry

FOLDER = Path(__file__).parents[4] / "clients/python/examples/tournaments"


def test_every_game_has_a_ready_tournament():
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(registry.GAMES)


@pytest.mark.parametrize("game", list(registry.GAMES))
def test_a_ready_tournament_runs_to_its_end(game, tmp_path, capsys):
    text = (FOLDER / f"{game}.toml").read_text("utf-8")
    file = tmp_path / "cup.toml"
    file.write_text(re.sub(r"^rounds = \d+$", "rounds = 1", text, flags=re.MULTILINE), "utf-8")
    out = tmp_path / "out"
    assert cli.run(["tournament", "run", str(file), "--out", str(out), "--jobs", "2"]) == 0
    results = read_results(out)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"finished: {len(results)} matches, 0 set aside, 0 penalties"
    assert not any(wrong for _, wrong in differences(read(file), results, out))
