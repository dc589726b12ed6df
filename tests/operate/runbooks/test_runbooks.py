"""The runbooks of the page do what they say; ``make runbooks`` tries all of them."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.operate.runbooks.page import PAGE, PHASES, read_runbooks, variables
from tests.operate.runbooks.scripts import QUICK, SCRIPTS, lacking, try_runbook
from tests.operate.runbooks.trial import asked_by
from tests.store.small_disk import CannotMount

TEXT = PAGE.read_text("utf-8")
RUNBOOKS = read_runbooks(TEXT)


@pytest.mark.skipif(bool(lacking()), reason=lacking())
@pytest.mark.parametrize("title", QUICK)
def test_a_runbook_does_what_it_says(title):
    try:
        print(asyncio.run(try_runbook(title)))
    except CannotMount as error:
        pytest.skip(str(error))


def test_every_runbook_with_commands_has_a_script():
    assert list(RUNBOOKS) == list(SCRIPTS)


@pytest.mark.parametrize("title", SCRIPTS)
def test_a_runbook_has_signs_commands_and_an_end(title):
    runbook = RUNBOOKS[title]
    assert runbook.signs
    assert runbook.checks
    for alert in runbook.signs["alert"]:
        assert asked_by(alert)[0].startswith("taflhall_")
    assert "**What may be lost**" in TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_block_of_commands_is_in_a_phase_that_is_tried():
    fences = len(re.findall(r"^ *```sh$", TEXT, re.MULTILINE))
    read = sum(len(runbook.commands) for runbook in RUNBOOKS.values())
    ends = sum(bool(runbook.checks) for runbook in RUNBOOKS.values())
    assert fences == read + ends
    assert {block.phase for runbook in RUNBOOKS.values() for block in runbook.commands} < {*PHASES}


def test_every_variable_that_a_command_reads_is_explained():
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    read = {name for block in blocks for name in re.findall(r"\$(?:\{)?([A-Z_]+)", block)}
    assert read == variables(TEXT)
