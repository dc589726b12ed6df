"""Other people's text on the command line is shown unchanged, in any encoding."""

import os
import subprocess
import sys

import pytest

from taflhall_client import sync
from taflhall_client.cli.output import progress_line
from taflhall_client.printable import literal

MARKUP = ("bye [/]", "[link=https://example.org]prize[/link]", "[red]x", ":smile:", "[/nothing]")


@pytest.fixture
def match(address):
    """A match whose titles and names look like markup."""
    with sync.Client(address) as client:
        for title in MARKUP[1:]:
            client.create("yggdrasil", {"seats": 2}, title=title)
        match = client.create("yggdrasil", {"seats": 2}, title=MARKUP[0])
        match.join("[link=x]Ann")
        match.join("[/] Bob")
        yield match


def test_a_list_of_matches_shows_markup_as_it_is(taflhall, address, match, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    ran = taflhall("match", "list", address, "--limit", "20")
    assert ran.status == 0
    for text in (*MARKUP, "[link=x]Ann, [/] Bob"):
        assert text in ran.out


@pytest.mark.parametrize("command", ["show", "start"])
def test_a_match_shows_markup_in_names_as_it_is(taflhall, address, match, command):
    ran = taflhall("match", command, address, match.match_id, "--secret", match.secret)
    assert ran.status == 0
    assert "[link=x]Ann" in ran.out
    assert "[/] Bob" in ran.out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("\u00d0ur\u00edn \u16a0", "\u00d0ur\u00edn \u16a0"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\rb\x07", "a\\rb\\x07"),
        ("right\u202eleft", "right\\u202eleft"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_control_characters_do_nothing_to_a_terminal(text, shown):
    assert literal(text) == shown


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("game", ["yggdrasil", "champions", "ice_garden"])
def test_a_person_can_play_where_the_terminal_lacks_letters(game, encoding):
    command = [sys.executable, "-m", "taflhall_client", "play", "--local", game]
    command += ["--seats", "2", "--language", "de"]
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    ran = subprocess.run(
        command, input=b"1\nq\n", capture_output=True, env=environment, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert not ran.stderr


def test_outside_a_terminal_progress_is_a_line_now_and_then(capsys):
    now = 0.0
    with progress_line(10.0, lambda: now) as show:
        for now in (0.0, 9.0, 10.0, 15.0, 19.0, 20.5):
            show(f"after {now:g} s")
    assert capsys.readouterr().err == "after 10 s\nafter 20.5 s\n"
