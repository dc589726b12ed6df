"""Values are equal when their kind and their fields are."""

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Answered, Refusal
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import field_names, fields_of, getter_of
from tests.engine.toy import rules, table, view


def test_equal_fields_make_equal_values():
    assert rules.Bid(3) == rules.Bid(3)
    assert hash(rules.Bid(3)) == hash(rules.Bid(3))
    assert rules.Bid(3) != rules.Bid(4)


def test_values_of_different_kinds_differ():
    assert rules.TakeGood(1) != rules.Throw(1)
    assert (rules.Keep() == rules.PayCoin()) is False
    assert rules.Keep() != "Keep()"


def test_fields_are_the_parameters_of_the_constructor():
    assert field_names(rules.Bid) == ("coins",)
    assert field_names(rules.Keep) == ()
    assert field_names(rules.ThrowOne) == ("seat",)
    assert field_names(table.Quay)[:4] == ("components", "chance", "rounds", "round")
    assert rules.Unload(2).fields() == (2,)


def test_the_fields_of_a_new_class_are_read_in_their_order():
    class Nothing:
        """Has no field."""

    class One:
        def __init__(self, first: int) -> None:
            self.first = first

    class Two:
        def __init__(self, first: int, second: int) -> None:
            self.first = first
            self.second = second

    for names, value, fields in (
        ((), Nothing(), ()),
        (("first",), One(3), (3,)),
        (("first", "second"), Two(3, 4), (3, 4)),
    ):
        assert field_names(type(value)) == names
        assert getter_of(type(value))(value) == fields
        for _ in range(2):
            assert fields_of(value) == fields


def test_values_that_hold_values_and_lists_compare_deeply():
    one = view.PrivateView([1, 2], [0], -1)
    assert View(0, one, one) == View(0, view.PrivateView([1, 2], [0], -1), one)
    assert View(0, one, one) != View(0, view.PrivateView([1, 3], [0], -1), one)


def test_values_that_hold_lists_can_be_kept_in_a_set():
    values = {view.PrivateView([1, 2], [0], -1), view.PrivateView([1, 2], [0], -1)}
    assert len(values) == 1
    assert view.PrivateView([2, 1], [0], -1) not in values


def test_a_value_shows_its_kind_and_fields():
    assert repr(Answered("Q-2.2", 1, rules.Bid(2), False, True)) == (
        "Answered(rule='Q-2.2', seat=1, command=Bid(coins=2), forced=False, secret=True)"
    )


@pytest.mark.skipif(not COMPILED, reason="in plain Python the type checker sees to it")
def test_a_value_cannot_be_changed():
    with pytest.raises(AttributeError):
        Refusal("Q-1", "code").code = "other"  # type: ignore[misc]
