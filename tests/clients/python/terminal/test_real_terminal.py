"""A match in a real terminal: tmux shows what is drawn and types the keys."""

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import uuid

import pytest

from taflhall_engine import registry
from tests.waiting import wait_until

SIZES = [(80, 24), (120, 40)]
PLAY = ("play", "--local")
DECISIONS = 6
"""How many decisions are answered by keys before a bot plays on."""


class Terminal:
    """A terminal of a server of its own, in which one program runs.

    With *gate* it begins when that file is there.
    """

    def __init__(self, width, height, *args, env=(), gate=None):
        self._socket = f"taflhall-{uuid.uuid4().hex[:8]}"
        program = [sys.executable, "-m", "taflhall_client", *map(str, args)]
        command = f"env {' '.join(env)} {shlex.join(program)}; echo status $?; exec cat"
        if gate is not None:
            command = f"until test -e {shlex.quote(str(gate))}; do sleep 0.02; done; {command}"
        self._tmux("new-session", "-d", "-x", width, "-y", height, command)
        self._tmux("set-option", "-g", "default-terminal", "tmux-256color")

    def _tmux(self, *args):
        command = ["tmux", "-L", self._socket, "-f", os.devnull, *map(str, args)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    @property
    def text(self):
        """What is on the screen."""
        return self._tmux("capture-pane", "-p")

    @property
    def joined(self):
        """What is on the screen, in one line without frames."""
        return re.sub(r"[\s│─▁-█]+", " ", self.text)

    def keys(self, *keys):
        """Press keys by their names."""
        self._tmux("send-keys", *keys)

    def line(self, text):
        """Type a line."""
        self._tmux("send-keys", "-l", text)
        self.keys("Enter")

    def until(self, *texts):
        """Wait until all texts are on the screen."""
        try:
            wait_until(lambda: all(text in self.joined for text in texts))
        except AssertionError:
            raise AssertionError(f"{texts} did not come:\n{self.text}") from None

    def insist(self, line, text):
        """Type a line, again now and then, until a text is on the screen.

        Keys that are pressed while a new decision is being drawn are dropped.
        """
        presses = itertools.count()

        def shown():
            if next(presses) % 100 == 0:
                self.line(line)
            return text in self.joined

        try:
            wait_until(shown)
        except AssertionError:
            raise AssertionError(f"{text} did not come:\n{self.text}") from None

    def end(self):
        subprocess.run(
            ["tmux", "-L", self._socket, "kill-server"], check=False, capture_output=True
        )


@pytest.fixture
def terminal():
    """Start programs in terminals, which end with the test."""
    if shutil.which("tmux") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("tmux is needed")
        pytest.skip("tmux is not on this machine")
    opened: list[Terminal] = []

    def start(width, height, *args, **kwargs):
        opened.append(Terminal(width, height, *args, **kwargs))
        return opened[-1]

    yield start
    for one in opened:
        one.end()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", list(registry.GAMES))
def test_each_game_is_played_by_keys_to_its_end(terminal, name, size):
    shown = terminal(*size, *PLAY, name, "--seats", 2, "--bot", "random", "--seed", 3)
    for _ in range(DECISIONS):
        shown.until("decides, rule", " 1 ")
        shown.keys("1", "Enter")
    shown.insist("bot random", "The match is over")
    shown.keys("Left")
    shown.until("Looking back")
    shown.keys("Escape")
    shown.line("q")
    shown.until("reason: ", "status 0")


def test_what_is_typed_early_is_dropped(terminal, tmp_path):
    args = (*PLAY, "champions", "--seats", 2, "--bot", "random", "--seed", 3)
    shown = terminal(80, 24, *args, gate=tmp_path / "go")
    shown.keys("1", "Enter", "1", "Enter", "r", "e", "s")
    (tmp_path / "go").touch()
    shown.until("you (0) decides, rule CM-3.8: Choose a leader", "›")
    assert "CM-5" not in shown.text
    shown.insist("why 1", "spent favour scores too CM-3.8")


def test_line_by_line_what_is_typed_early_is_dropped_too(terminal, tmp_path):
    args = (*PLAY, "champions", "--seats", 2, "--bot", "random", "--seed", 3, "--lines")
    shown = terminal(120, 40, *args, gate=tmp_path / "go")
    shown.keys("1", "Enter")
    (tmp_path / "go").touch()
    shown.until("you (0) decides, rule CM-3.8: Choose a leader", ">")
    assert "you (0) plays" not in shown.text
    shown.insist("resign", "Do you really resign?")
    shown.line("no")
    shown.insist("1", "you (0) plays Asmundr the Pious")
    shown.insist("q", "status 0")


def test_without_a_terminal_of_full_size_lines_are_used(terminal):
    args = (*PLAY, "yggdrasil", "--seats", 2, "--bot", "random")
    shown = terminal(100, 50, *args, env=("TERM=dumb",))
    shown.until("decides, rule", ">")
    shown.line("q")
    shown.until("you have left the table", "status 0")


def test_the_demonstration_is_shown_at_a_human_pace_and_ends_as_without_a_terminal(terminal):
    shown = terminal(120, 40, "demo", "--bot", "random")
    shown.until("Space pause", "Turn 1: ")
    shown.insist("q", "verified: Yggdrasil, ")
    shown.until("status 0")
