"""Commands and steps as text and back."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taflhall_engine.kernel import COMPILED, notation
from taflhall_engine.kernel.notation import NotationError, read, write
from taflhall_engine.kernel.value import Value
from tests.engine import toy
from tests.engine.toy import QUAY, rules

KINDS, WORDS = QUAY.types, QUAY.labels
LotTurned = KINDS["LotTurned"]
Paid = KINDS["Paid"]
Rival = KINDS["Rival"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (rules.Keep(), "keep"),
        (rules.Bid(3), "bid coins=3"),
        (rules.TakeGood(0), "take_good good=amber"),
        (rules.TakeGood(-1), "take_good good=-"),
        (rules.ThrowOne(2), "throw_one seat=2"),
        (rules.SealedBids(5), "sealed_bids waiting=5"),
        (LotTurned("Q-2.1", []), "lot_turned rule=Q-2.1 goods=none"),
        (LotTurned("Q-2.1", [3]), "lot_turned rule=Q-2.1 goods=fish,"),
        (LotTurned("Q-2.1", [0, 3]), "lot_turned rule=Q-2.1 goods=amber,fish"),
        (Paid("Q-2.5", 1, -4), "paid rule=Q-2.5 seat=1 coins=-4"),
        (Rival(1, 2, 3, 4, True), "rival coins=1 favours=2 held=3 thrown=4 has_bid=yes"),
    ],
)
def test_a_value_is_written_by_name(value, text):
    assert write(value, WORDS) == text


@pytest.mark.skipif(COMPILED, reason="interpreted classes cannot inherit from compiled ones")
def test_a_value_of_a_new_class_is_written_by_its_fields():
    class LiftGood(Value):
        def __init__(self, seat: int, good: int) -> None:
            self.seat = seat
            self.good = good

    assert write(LiftGood(2, 0), WORDS) == "lift_good seat=2 good=amber"


@given(st.sampled_from([*rules.BIDS, *rules.TAKE_GOOD, *rules.SELL_OR_KEEP, *rules.THROW]))
def test_every_command_is_read_as_it_was_written(command):
    assert read(write(command, WORDS), KINDS, WORDS) == command


@given(
    st.sampled_from(["SealedBids", "ChooseGood", "TakeRest", "SellPair", "Unload", "ThrowOne"]),
    st.integers(0, 15),
)
def test_every_step_is_read_as_it_was_written(name, number):
    step = KINDS[name](number)
    assert read(write(step, WORDS), KINDS, WORDS) == step


@given(st.lists(st.integers(-1, 3), max_size=5), st.booleans())
def test_lists_and_truth_are_read_as_they_were_written(goods, yes):
    kinds = {"Rival": Rival, "PrivateView": KINDS["PrivateView"]}
    hand = KINDS["PrivateView"](goods, [], 2)
    assert (
        read(write(hand, {"hand": QUAY.components.goods}), kinds, {"hand": QUAY.components.goods})
        == hand
    )
    rival = Rival(1, 2, 3, 4, yes)
    assert read(write(rival, {}), kinds, {}) == rival


def test_the_order_of_fields_in_a_text_does_not_matter():
    assert read("rival has_bid=no held=3 coins=1 favours=2 thrown=4", KINDS, {}) == Rival(
        1, 2, 3, 4, False
    )


@pytest.mark.parametrize(
    "text",
    [
        "castle",
        "bid",
        "bid coins",
        "bid coins=",
        "bid coins=three",
        "bid coins=1.5",
        "bid coins=0x3",
        "bid coins=99999999999",
        "bid coins=3 coins=3",
        "bid coins=3 more=1",
        "bid 3",
        "take_good good=5",
        "take_good good=gold",
        "take_good good=Amber",
        "keep now=yes",
        "Bid coins=3",
    ],
)
def test_text_that_is_not_a_command_is_refused(text):
    with pytest.raises(NotationError):
        read(text, KINDS, WORDS)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_text_is_no_command(text):
    with pytest.raises(NotationError):
        read(text, KINDS, WORDS)


@given(st.text(max_size=30) | st.from_regex(r"(bid|keep|take_good)( [a-z]+=[a-z0-9,-]*){0,2}"))
def test_nothing_but_a_notation_error_escapes(text):
    with contextlib.suppress(NotationError):
        read(text, KINDS, WORDS)


def test_a_refused_text_says_how_it_should_read():
    with pytest.raises(NotationError, match=r"should read 'bid coins=\.\.\.'"):
        read("bid", KINDS, WORDS)
    with pytest.raises(NotationError, match="not one of amber, furs, salt, fish"):
        read("take_good good=gold", KINDS, WORDS)


@pytest.mark.parametrize(
    ("name", "snake"),
    [("Keep", "keep"), ("PlanMarker", "plan_marker"), ("ABCd", "a_b_cd"), ("Take3", "take3")],
)
def test_names_in_snake_case(name, snake):
    assert notation.snake(name) == snake


def test_the_toy_has_all_kinds_of_fields():
    assert toy.QUAY.labels.keys() == {"good", "goods"}
