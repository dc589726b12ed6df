"""The server's address as the first argument, or out of the environment."""

import re
import shlex
from pathlib import Path

import pytest

from taflhall_client import sync
from taflhall_client.cli import admin
from taflhall_client.cli.common import UsageError

DEPLOY = Path(__file__).resolve().parents[3] / "deploy/README.md"
COMMAND = re.compile(r"^ {4}taflhall (admin .*?)(?: +#.*)?$", re.MULTILINE)
DOCUMENTED = COMMAND.findall(DEPLOY.read_text("utf-8"))


ADDRESSES = ["client.example.org:1", "[::1]:443", "dns:///client:1", "10.0.0.1:1,10.0.0.2:1"]


@pytest.fixture
def admin_error(monkeypatch):
    """The administrators' port that a command would call becomes the text of an error."""

    def turned_to(address, work):
        raise UsageError(f"the admin at {address}")

    monkeypatch.setattr(admin, "call_admin", turned_to)
    monkeypatch.setenv("TAFLHALL_ADMIN_ADDRESS", "127.0.0.1:50052")


def test_the_guide_has_commands_for_administrators():
    assert len(DOCUMENTED) >= 4


@pytest.mark.parametrize("command", DOCUMENTED)
def test_the_commands_of_the_guide_work_as_they_stand(taflhall, admin_error, command):
    ran = taflhall(*shlex.split(command))
    assert (ran.status, ran.err) == (2, "taflhall: the admin at 127.0.0.1:50052\n")


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_given_counts(taflhall, admin_error, address):
    for rest in (["create-account", "{}", "Hugin"], ["revoke-key", "{}", "k"], ["audit", "{}"]):
        ran = taflhall("admin", *[word.format(address) for word in rest])
        assert ran.err == f"taflhall: the admin at {address}\n"


def test_other_missing_arguments_are_reported(taflhall, admin_error):
    for given in ([], ["127.0.0.1:1"]):
        ran = taflhall("admin", "revoke-key", *given)
        assert (ran.status, "Missing argument" in ran.err) == (2, True)
    assert "unexpected extra argument" in taflhall("admin", "revoke-key", "a:1", "b", "c").err
    assert "No such option" in taflhall("admin", "revoke-key", "k", "--nonsense").err
    assert taflhall("admin", "revoke-key", "--help").status == 0


def test_without_an_address_a_command_asks_for_it(taflhall, monkeypatch):
    monkeypatch.delenv("TAFLHALL_ADDRESS", raising=False)
    ran = taflhall("match", "show", "somewhere")
    assert (ran.status, "Missing argument" in ran.err) == (2, True)


def test_a_match_is_shown_from_both_forms(taflhall, address, monkeypatch):
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": 2})
    shown = taflhall("match", "show", address, match.match_id)
    monkeypatch.setenv("TAFLHALL_ADDRESS", address)
    assert taflhall("match", "show", match.match_id) == shown
    assert taflhall("match", "show", address, match.match_id) == shown
    assert shown.status == 0
    args = ("--name", "Ann", match.match_id)
    assert taflhall("match", "join", *args).lines[0] == "seats  0"
