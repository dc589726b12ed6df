"""How values are written and refused at their limits: records, setups."""

from __future__ import annotations

import json
from typing import Any

import pytest

from taflhall_engine.kernel.chance import SECRET_BYTES
from taflhall_engine.kernel.game import Fault, InvalidSetup
from taflhall_engine.kernel.record import FORMAT, text
from taflhall_engine.kernel.replay import (
    RecordDiffers,
    RecordError,
    RecordTooNew,
    game_of,
    replay,
)
from taflhall_engine.kernel.setups import refuse
from taflhall_engine.registry import game
from tests.engine.kernel.test_record import changed, good
from tests.engine.toy import QUAY

__all__ = ["good"]

CHAMPIONS: Any = game("champions")


@pytest.mark.parametrize(
    ("form", "error"),
    [(0, RecordError), (-1, RecordError), (True, RecordError), (FORMAT + 1, RecordTooNew)],
)
def test_a_format_is_a_number_from_1_to_the_latest(good, form, error):
    with pytest.raises(RecordError, match="format") as caught:
        game_of(changed(good, format=form))
    assert type(caught.value) is error
    assert game_of(changed(good, format=FORMAT)) == "quay"


@pytest.mark.parametrize("seat", [-2, -1, 3, 4])
def test_a_command_is_of_a_seat_that_exists(good, seat):
    with pytest.raises(RecordDiffers, match=f"there is no seat {seat}"):
        replay(QUAY, changed(good, commands=[[seat, "resign"], *good["commands"][1:]]))


def test_only_the_server_abandons_a_match_without_a_seat(good):
    with pytest.raises(RecordDiffers, match="digest"):
        replay(QUAY, changed(good, commands=[[-1, "abandon"], *good["commands"][1:]]))


def test_nothing_comes_after_the_end(good):
    more = changed(good)
    more["commands"].append(more["commands"][0])
    more["digests"].append(more["digests"][0])
    with pytest.raises(RecordDiffers, match="over before this command"):
        replay(QUAY, more)


@pytest.mark.parametrize("size", [SECRET_BYTES - 1, SECRET_BYTES + 1])
def test_the_length_of_a_secret_is_named(good, size):
    with pytest.raises(RecordError, match=f"{size} bytes instead of 32"):
        replay(QUAY, changed(good, secret="00" * size))


def test_digests_are_named_by_their_beginning(good):
    with pytest.raises(RecordDiffers) as caught:
        replay(QUAY, changed(good, start_digest="f" * 64))
    found = good["start_digest"]
    assert f"has the digest {found[:16]}, the record says {'f' * 16}" in str(caught.value)


def test_a_record_is_written_with_one_command_and_one_digest_a_line(good):
    written = text({**good, "seats": ["\u00c5sa", "Bob", "Cid"]})
    assert json.loads(written) == {**good, "seats": ["\u00c5sa", "Bob", "Cid"]}
    assert "\u00c5sa" in written
    lines = written.split("\n")
    assert f"    {json.dumps(good['commands'][0])}," in lines
    assert f"    {json.dumps(good['digests'][-1])}" in lines
    assert len(lines) == len(good) + 2 * len(good["commands"]) + 5


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("near_shores", 0, "right"),
        ("near_shores", 1, "left"),
        ("near_shores", 2, "2"),
        ("near_shores", -1, "-"),
        ("near_shores", -2, "-2"),
        ("near_shores", True, "yes"),
        ("near_shores", False, "no"),
        ("near_shores", [1, 0], "left,right"),
        ("near_shores", "up", "up"),
        ("seats", 9, "9"),
        ("seats", -1, "-1"),
    ],
)
def test_a_fault_of_a_setup_says_what_it_found_as_it_would_be_typed(field, value, found):
    class Given:
        pass

    setup: Any = Given()
    setattr(setup, field, value)
    with pytest.raises(InvalidSetup) as caught:
        refuse(CHAMPIONS, setup, [Fault(field, "out_of_range")])
    assert [fault.found for fault in caught.value.faults] == [found]
    refuse(CHAMPIONS, setup, [])
