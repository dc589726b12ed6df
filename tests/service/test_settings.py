"""The settings of a server: flags, environment and help."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from importlib.metadata import version

import pytest

from taflhall_service.app.ports.match_store import Durability
from taflhall_service.settings import Settings, read_settings


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--store", "memory:", "--workers", "2"], "leave out --workers"),
        (["--listen", "127.0.0.1:99999"], "HOST:PORT"),
        (["--listen", ":50051"], "0.0.0.0 and [::] are all addresses"),
        (["--durability", "eternal"], "memory, periodic, disk, replicated"),
        (["--listen", "127.0.0.1:²"], "HOST:PORT"),
        (["--log-level", "loud"], "debug, info, warning, error"),
        (["--workers", "0"], "--workers is 1 to 1024, not 0"),
        (["--metrics", "99999"], "--metrics is 0 to 65535"),
        (["--drain-delay", "-1"], "--drain-delay is 0 to"),
        (["--grace", "-0.5"], "--grace is 0 to"),
        (["--grace", "nan"], "--grace is 0 to"),
        (["--heartbeat", "0"], "--heartbeat is 0.01 to"),
        (["--heartbeat", "-3"], "--heartbeat is 0.01 to"),
        (["--tables", "0"], "--tables is 1 to"),
        (["--keep-finished", "inf"], "--keep-finished is 0 to 876000, not inf"),
        (["--keep-finished", "nan"], "--keep-finished is 0 to 876000"),
        (["--keep-finished", "1e15"], "--keep-finished is 0 to 876000"),
        (["--prune-above", "-1"], "--prune-above is 0 to"),
        (["--prune-above", "500"], "--prune-above needs --archive"),
        (["--abandon-after", "nan"], "--abandon-after is 0 to"),
        (["--rate-commands", "nan"], "--rate-commands is 0 to"),
        (["--caller-streams", "-5"], "--caller-streams is 0 to"),
        (["--tls-key", "key.pem"], "a certificate and its key: --tls-cert and --tls-key"),
        (["--admin-tls-key", "key.pem"], "key: --admin-tls-cert and --admin-tls-key"),
    ],
)
def test_invalid_settings_are_reported(flags, message, capsys):
    with pytest.raises(SystemExit):
        read_settings(flags)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("field", ["public", "behind_proxy", "self_check"])
def test_a_switch_in_the_environment_is_yes_or_no(field, capsys):
    name = f"TAFLHALL_{field.upper()}"

    def value(text: str) -> bool:
        return getattr(read_settings([], {name: text}), field) is True

    for text, expected in (("True", True), ("on", True), ("OFF", False), ("0", False)):
        assert value(text) is expected
    assert value("") is getattr(read_settings([], {}), field)
    with pytest.raises(SystemExit):
        value("banana")
    assert f"{name} is 1, true, yes or on" in capsys.readouterr().err


def test_a_number_in_the_environment_is_reported_by_its_variable(capsys):
    with pytest.raises(SystemExit):
        read_settings([], {"TAFLHALL_METRICS": "http"})
    assert "TAFLHALL_METRICS is a number, not 'http'" in capsys.readouterr().err


def test_the_help_names_every_setting_and_every_store():
    command = [sys.executable, "-m", "taflhall_service.main", "--help"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "\n  redis://HOST:PORT[/DB] " in text
    assert "  taflhall-server backup " in text
    assert "--durability {memory,periodic,disk,replicated}" in text
    assert not [f.name for f in fields(Settings) if f"TAFLHALL_{f.name.upper()}" not in text]


def test_the_version_is_that_of_the_distribution(capsys):
    with pytest.raises(SystemExit) as ended:
        read_settings(["--version"], {})
    assert (ended.value.code, capsys.readouterr().out) == (
        0,
        f"taflhall-server {version('taflhall')}\n",
    )


def test_settings_come_from_the_environment_too():
    environment = {
        "TAFLHALL_STORE": "memory:",
        "TAFLHALL_HEARTBEAT": "2.5",
        "TAFLHALL_PUBLIC": "1",
        "TAFLHALL_TABLES": "5",
    }
    settings = read_settings(["--tables", "7"], environment)
    assert (settings.store, settings.heartbeat, settings.tables) == ("memory:", 2.5, 7)
    assert settings.public
    assert settings.durability == "memory"


def test_every_level_of_durability_can_be_declared():
    (about,) = [f.metadata for f in fields(Settings) if f.name == "durability"]
    assert about["choices"] == tuple(level.name.lower() for level in Durability)
