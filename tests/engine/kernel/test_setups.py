"""Setups as data and as text."""

from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.game import InvalidSetup
from taflhall_engine.kernel.setups import defaults, from_data, from_text, to_data
from tests.engine.toy import QUAY, Setup


class _Wide:
    """A game with every kind of field in its setup."""

    labels = {"gods": ["odin", "thor"], "first": ["odin", "thor"]}

    class Kind:
        def __init__(self, gods=None, first=-1, even=True, mode="open", pair=None):
            self.gods = [] if gods is None else gods
            self.first = first
            self.even = even
            self.mode = mode
            self.pair = pair

    setup_kind = Kind


Wide: Any = _Wide


def fields(setup):
    return (setup.gods, setup.first, setup.even, setup.mode, setup.pair)


def test_fields_left_out_take_their_defaults():
    assert from_text(QUAY, []) == Setup()
    assert from_data(QUAY, {"rounds": 2}) == Setup(rounds=2)
    assert defaults(QUAY) == {"seats": 3, "rounds": 5}


@pytest.mark.parametrize("setup", [Setup(), Setup(2, 7)])
def test_data_go_there_and_back(setup):
    assert from_data(QUAY, to_data(QUAY, setup)) == setup


def test_names_lists_and_yes_and_no_are_read_from_text():
    read = from_text(Wide, ["gods=thor,odin", "first=thor", "even=no", "mode=closed"])
    assert fields(read) == ([1, 0], 1, False, "closed", None)
    assert fields(from_text(Wide, ["gods=none", "first=-"])) == ([], -1, True, "open", None)
    assert from_text(Wide, ["gods=thor,"]).gods == [1]
    assert from_text(Wide, ["pair=3"]).pair == 3


def test_names_lists_and_yes_and_no_go_there_and_back_as_data():
    setup = Wide.Kind([1], 0, False, "closed", 4)
    data = to_data(Wide, setup)
    assert data == {"gods": ["thor"], "first": "odin", "even": False, "mode": "closed", "pair": 4}
    assert fields(from_data(Wide, data)) == fields(setup)
    assert to_data(Wide, Wide.Kind())["first"] == "-"


@pytest.mark.parametrize(
    ("texts", "faults"),
    [
        (
            ["colour=red", "rounds=many"],
            [("colour", "unknown_field"), ("rounds", "not_understood")],
        ),
        (["rounds"], [("rounds", "not_a_field")]),
        (["rounds=2,3"], [("rounds", "not_understood")]),
        (["rounds=2", "rounds=3"], [("rounds", "given_twice")]),
    ],
)
def test_every_fault_of_a_text_is_named_at_once(texts, faults):
    with pytest.raises(InvalidSetup) as e:
        from_text(QUAY, texts)
    assert [(fault.field, fault.code) for fault in e.value.faults] == faults
    assert all(fault.found and fault.found in str(e.value) for fault in e.value.faults)


@pytest.mark.parametrize("value", [True, "x", None, [1], 1.5, {"a": 1}])
def test_data_of_another_kind_is_a_fault(value):
    with pytest.raises(InvalidSetup) as e:
        from_data(QUAY, {"rounds": value})
    assert e.value.faults[0].field == "rounds"


@pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a game")
@pytest.mark.parametrize(
    "data",
    [
        {"even": 1},
        {"mode": 3},
        {"gods": "thor"},
        {"gods": ["tyr"]},
        {"gods": [[]]},
        {"gods": [None]},
        {"pair": "x"},
        {"pair": [1]},
        {"first": "tyr"},
        {"mode": None},
    ],
)
def test_other_kinds_of_fields_are_checked_too(data):
    with pytest.raises(InvalidSetup):
        from_data(Wide, data)
