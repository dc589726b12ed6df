"""A server with corrected component data (``--data``)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from taflhall_client.errors import RulesTooNew
from taflhall_client.sync import Client
from taflhall_engine import registry
from tests.service.processes import Process

GLORY = 55


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "champions"
    folder.mkdir(parents=True)
    correction = f'[[troll]]\nid = "troll_01"\nglory = {GLORY}\n'
    (folder / "overlay.toml").write_text(correction, "utf-8")
    return folder.parent


def test_a_match_is_played_with_the_servers_data_and_names_their_digest(data, tmp_path):
    server = Process("--store", f"embedded:{tmp_path / 'store'}", "--data", str(data))
    try:
        with Client(f"127.0.0.1:{server.port}") as client:
            made = client.create("champions", {"seats": 2}).get().match
            other = client.create("yggdrasil", {"seats": 1}).get().match
            listed = {game.id: game.data_digest for game in client.games()}
    finally:
        assert server.end()[0] == 0
    corrected = registry.game("champions", data)
    assert made.data_digest == listed["champions"] == corrected.data_digest
    assert corrected.data_digest != registry.game("champions").data_digest
    assert other.data_digest == registry.game("yggdrasil").data_digest

    plain = Process("--store", f"embedded:{tmp_path / 'store'}")
    try:
        with Client(f"127.0.0.1:{plain.port}") as client:
            with pytest.raises(RulesTooNew):
                client.match(made.match_id).get()
            assert client.match(other.match_id).get().match.match_id == other.match_id
    finally:
        assert plain.end()[0] == 0


def test_a_server_with_wrong_data_does_not_start_and_names_every_fault(data):
    (data / "champions" / "overlay.toml").write_text('[[troll]]\nid = "troll_99"\nglori = 6\n')
    command = [sys.executable, "-m", "taflhall_service.main", "--store", "memory:", "--data", data]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "troll.troll_99: unknown id" in ended.stderr
    assert "troll.troll_99.glori: unknown key" in ended.stderr
    assert "Traceback" not in ended.stderr
