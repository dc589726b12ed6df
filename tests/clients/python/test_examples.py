"""Every example runs, and what the quickstart quotes is what the examples say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from taflhall_client.local import TooLong, play
from taflhall_engine import registry

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "clients/python/examples"
PROGRAMS = {
    "client.py": "resigned: Result",
    "watch.py": r"^\d+ .*\(YG-\d",
    "in_process.py": r"\d+ commands replayed",
    "many_matches.py": r"\{.+\}",
}


BOTS = {"hugin.py", "typed_bot.py"}

OF_ADAPTERS = {"learning.py"}
"""Run by tests/clients/python/adapters/test_learning.py."""

OF_EVERY_SDK = {"bot.py", "watcher.py", "resume.py", "refused.py", "serve.py"}
"""Run by tests/clients/test_examples.py."""


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_an_example_runs(name, address):
    command = [sys.executable, EXAMPLES / name, address]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not ran.stderr
    assert re.search(PROGRAMS[name], ran.stdout, re.MULTILINE)


def test_the_example_bot_plays(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    from hugin import Hugin  # type: ignore[import-not-found]

    game = registry.game("yggdrasil")
    setup = game.setup_kind(seats=1)
    with pytest.raises(TooLong):
        play(game, [Hugin(game, 1)], setup, secret=bytes(32), limit=10)


def test_the_example_bot_with_types_plays_a_whole_match(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    from typed_bot import Builder  # type: ignore[import-not-found]

    game = registry.game("yggdrasil")
    assert play(game, [Builder(game)] * 2, game.setup_kind(seats=2)).result.reasons


def test_the_program_of_the_readme_plays_a_match_to_its_end(address):
    text = (ROOT / "README.md").read_text("utf-8")
    program = re.search(r"```python\n(from taflhall_client.sync.*?)```", text, re.DOTALL)
    assert program is not None
    source = program[1].replace("127.0.0.1:50051", address) + "    print(ann.get().match.status)\n"
    ran = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=100, check=False
    )
    assert ran.stdout.strip().endswith("FINISHED"), ran.stderr


def test_every_example_is_run_here():
    assert {path.name for path in EXAMPLES.glob("*.py")} == {
        *PROGRAMS,
        *BOTS,
        *OF_ADAPTERS,
        *OF_EVERY_SDK,
    }


def test_the_quickstart_quotes_the_examples():
    text = (ROOT / "docs/quickstart.md").read_text("utf-8")
    named = re.findall(r"clients/python/examples/(\w+\.py)", text)
    assert set(named) == {*PROGRAMS, *BOTS}
    quoted = [line for line in _blocks(text) if line.strip()]
    examples = "\n".join(path.read_text("utf-8") for path in EXAMPLES.glob("*.py"))
    assert quoted
    assert [line for line in quoted if line not in examples] == []


def _blocks(text):
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        yield from block.splitlines()
