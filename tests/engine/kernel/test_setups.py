"""Setups as data and as text."""

from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.game import Fault, InvalidSetup
from taflhall_engine.kernel.setups import defaults, from_data, from_text, refuse, to_data
from tests.engine.toy import QUAY, Setup


class _Wide:
    """A game with every kind of field in its setup."""

    labels = {"gods": ["odin", "thor"], "first": ["odin", "thor"]}

    class Kind:
        def __init__(self, gods=None, first=-1, even=True, mode="open", pair=None, dice=None):
            self.gods = [] if gods is None else gods
            self.first = first
            self.even = even
            self.mode = mode
            self.pair = pair
            self.dice = [6] if dice is None else dice

    setup_kind = Kind


Wide: Any = _Wide


def fields(setup):
    return (setup.gods, setup.first, setup.even, setup.mode, setup.pair, setup.dice)


def test_fields_left_out_take_their_defaults():
    assert from_text(QUAY, []) == Setup()
    assert from_data(QUAY, {"rounds": 2}) == Setup(rounds=2)
    assert defaults(QUAY) == {"seats": 3, "rounds": 5}


@pytest.mark.parametrize("setup", [Setup(), Setup(2, 7)])
def test_data_go_there_and_back(setup):
    assert from_data(QUAY, to_data(QUAY, setup)) == setup


def test_names_lists_and_yes_and_no_are_read_from_text():
    read = from_text(Wide, ["gods=thor,odin", "first=thor", "even=no", "mode=closed"])
    assert fields(read) == ([1, 0], 1, False, "closed", None, [6])
    none = from_text(Wide, ["gods=none", "first=-"])
    assert fields(none) == ([], -1, True, "open", None, [6])
    assert from_text(Wide, ["dice=4,8"]).dice == [4, 8]
    assert from_text(Wide, ["gods=thor,"]).gods == [1]
    assert from_text(Wide, ["pair=3"]).pair == 3


def test_names_lists_and_yes_and_no_go_there_and_back_as_data():
    setup = Wide.Kind([1], 0, False, "closed", 4, [8, 8])
    data = to_data(Wide, setup)
    assert data == {
        "gods": ["thor"],
        "first": "odin",
        "even": False,
        "mode": "closed",
        "pair": 4,
        "dice": [8, 8],
    }
    assert fields(from_data(Wide, data)) == fields(setup)
    usual = to_data(Wide, Wide.Kind())
    assert (usual["first"], usual["pair"]) == ("-", None)
    assert fields(from_data(Wide, usual)) == fields(Wide.Kind())
    assert to_data(Wide, Wide.Kind(first=None))["first"] is None


@pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a game")
@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("gods", [1, 0, 7], "thor,odin,7"),
        ("gods", [], "none"),
        ("first", 0, "odin"),
        ("first", 1, "thor"),
        ("first", 2, "2"),
        ("first", -1, "-"),
        ("first", -2, "-2"),
        ("first", "tyr", "tyr"),
        ("even", True, "yes"),
        ("even", False, "no"),
        ("pair", None, "none"),
        ("pair", -1, "-1"),
        ("pair", 0, "0"),
    ],
)
def test_a_fault_says_what_a_setup_has_as_it_would_be_written(field, value, found):
    with pytest.raises(InvalidSetup) as e:
        refuse(Wide, Wide.Kind(**{field: value}), [Fault(field, "wrong", "", "others")])
    assert e.value.faults == [Fault(field, "wrong", found, "others")]


def test_a_setup_without_faults_is_not_refused():
    refuse(QUAY, Setup(), [])


@pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a game")
@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("even=maybe", "yes, no"),
        ("first=tyr", "odin, thor"),
        ("gods=odin,tyr", "odin, thor"),
        ("pair=x", ""),
    ],
)
def test_a_fault_says_which_words_a_field_may_hold(text, allowed):
    with pytest.raises(InvalidSetup) as e:
        from_text(Wide, [text])
    assert [(f.field, f.code, f.allowed) for f in e.value.faults] == [
        (text.partition("=")[0], "not_understood", allowed)
    ]


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
        {"gods": 3},
        {"gods": None},
        {"dice": ["six"]},
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
