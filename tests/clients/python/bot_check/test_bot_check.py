"""Sound bots pass the check, and each planted fault is named."""

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FAULTY = "tests.clients.python.bot_check.faulty"
LINE_BOT = f"{sys.executable} {HERE / 'line_bot.py'}"
GRPC_BOT = f"{sys.executable} {HERE / 'grpc_bot.py'} {{address}} {{match}} {{secret}}"
SECONDS = {"Sleeps": "0.5", "Unhurried": "5"}
"""How long a bot may think that is slow on purpose; the others get as long as usual."""


@pytest.mark.parametrize("game", ["champions", "ice_garden", "yggdrasil"])
def test_a_sound_class_passes_everything(taflhall, game):
    ran = taflhall("bot", "check", "heuristic", "--game", game)
    assert ran.status == 0, ran.out
    assert re.fullmatch(r"12 passed, 0 failed", ran.lines[-1])


CLASSES = [
    ("Unborn", "starts", "ValueError: no mood to play"),
    ("Invents", "plays a whole match", "answered 'nonsense', which is none of the"),
    ("CountsToTen", "answers a long list of options", "raised ValueError"),
    ("Impatient", "finishes answers in several steps", "raised NotImplementedError"),
    ("Remembers", "answers again when it is asked again", "raised LookupError: asked twice"),
    ("OneMatch", "plays two matches at once", "raised RuntimeError: this is another match"),
    ("Tidies", "leaves view and options as they are", "changed the list of options"),
    ("KnowsAll", "copes with an unknown kind of decision", "raised AttributeError"),
    ("Sleeps", "plays a whole match", "did not answer within 0.5 s"),
    ("Unhurried", "keeps to the time that is left", "with 2 s left"),
    ("Exits", "takes up a match in the middle", "raised SystemExit: 3"),
]


@pytest.mark.parametrize(("fault", "situation", "words"), CLASSES)
def test_the_fault_of_a_class_is_named(taflhall, fault, situation, words):
    seconds = ("--seconds", SECONDS[fault]) if fault in SECONDS else ()
    ran = taflhall(
        "bot", "check", f"{FAULTY}:{fault}", "--game", "champions", "--only", situation, *seconds
    )
    assert ran.status == 1
    assert any(
        line.startswith(f"FAILED  champions: {situation}: ") and words in line for line in ran.lines
    ), ran.out
    assert re.fullmatch(r"\d+ passed, [1-9]\d* failed", ran.lines[-1])


def test_the_line_bot_of_the_guide_passes_everything(taflhall, tmp_path):
    guide = (HERE.parents[3] / "docs" / "tournaments.md").read_text("utf-8")
    code, *_ = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    bot = tmp_path / "mybot.py"
    bot.write_text(code, "utf-8")
    ran = taflhall("bot", "check", f"{sys.executable} {bot}", "--game", "champions")
    assert "0 failed" in ran.lines[-1], ran.out


PROGRAMS = [
    ("strict", "ignores unknown fields and messages", "ended with status 1"),
    ("talks", "waits for a late prompt", "though nothing was asked"),
    ("far", "answers every kind of decision", "option is from 0 to"),
    ("knows", "copes with an unknown option", "ended with status 1"),
    ("rude", "ends with the match", "ended with status 4"),
    ("polite", "does not answer an invalid line", "I beg your pardon?"),
    ("stays", "ends with its input", "still running"),
]


@pytest.mark.parametrize(("fault", "situation", "words"), PROGRAMS)
def test_the_fault_of_a_program_is_named(taflhall, fault, situation, words):
    ran = taflhall(
        "bot", "check", f"{LINE_BOT} {fault}", "--game", "champions", "--only", situation
    )
    assert ran.status == 1
    assert any(
        line.startswith(f"FAILED  champions: {situation}: ") and words in line for line in ran.lines
    ), ran.out


def test_a_program_that_does_not_start_is_named_with_its_last_words(taflhall):
    ran = taflhall("bot", "check", f"{sys.executable} nowhere.py", "--game", "champions")
    assert ran.status == 1
    assert "it does not start: the program has ended with status 2: " in ran.lines[0]
    assert "nowhere.py" in ran.lines[0]


def test_a_sound_program_that_speaks_grpc_passes_everything(taflhall):
    ran = taflhall("bot", "check", GRPC_BOT, "--game", "champions")
    assert ran.lines[-1] == "7 passed, 0 failed", ran.out


HOSTED = [
    ("leaves", "plays a whole match", "ended with status 0 before the match was over"),
    ("silent", "plays a whole match", "did not answer a decision within 1 s"),
    ("far", "plays a whole match", "the server refused an answer: NO_SUCH_OPTION"),
    ("knows", "copes with unknown fields and options", "what is that?"),
    ("touchy", "copes with a refusal of an answer", "how dare you"),
    ("gives up", "comes back after a restart of the server", "ended with status 1"),
    ("stays", "ends with a match that is broken off", "still running"),
]


@pytest.mark.parametrize(("fault", "situation", "words"), HOSTED)
def test_the_fault_of_a_program_that_speaks_grpc_is_named(taflhall, fault, situation, words):
    seconds = ("--seconds", "1") if fault == "silent" else ()
    ran = taflhall(
        "bot",
        "check",
        f"{GRPC_BOT} '{fault}'",
        "--game",
        "champions",
        "--only",
        situation,
        *seconds,
    )
    assert ran.status == 1
    assert any(
        line.startswith(f"FAILED  champions: {situation}: ") and words in line for line in ran.lines
    ), ran.out


def test_a_bot_is_a_class_or_a_command(taflhall):
    ran = taflhall("bot", "check", " ")
    assert ran.status == 2
    assert "module:Class" in ran.err


def test_a_program_that_does_not_exist_is_refused(taflhall):
    ran = taflhall("bot", "check", "nosuch-program --fast")
    assert ran.status == 2
    assert "nosuch-program: neither a bot" in ran.err
