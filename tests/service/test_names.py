"""Names, reasons and request ids from outside: how long they may be, and what may be in them."""

from __future__ import annotations

import pytest

from taflhall_service.app.errors import InvalidName
from taflhall_service.app.model.limits import GUESSABLE, Limits, looks_like, without_secrets

LIMITS = Limits(name_characters=10)


def accepts(field: str, text: str, *bounds: int) -> bool:
    try:
        return LIMITS.name(field, text, *bounds) == text
    except InvalidName:
        return False


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("A", True),
        ("Ann B", True),
        ("\u00c5sa \u5f20", True),
        ("a" * 10, True),
        ("a" * 11, False),
        ("", False),
        (" ", False),
        ("\u0301", False),  # a mark with no letter
        ("A\u0301", True),
        (" Ann", False),
        ("Ann ", False),
        ("Ann  B", False),
        ("Ann\n", False),
        ("Ann\u202e", False),
        ("A\u2800n", False),
        ("A\u3164n", False),
    ],
)
def test_a_name_is_short_visible_and_cannot_be_mistaken(text, fits):
    assert accepts("name", text) == fits


def test_the_bounds_may_be_given():
    assert not accepts("name", "abc", 4)
    assert accepts("name", "abcd", 4)
    assert accepts("reason", "a" * 20, 1, 20)
    assert not accepts("reason", "a" * 21, 1, 20)
    assert accepts("reason", "", 0)
    assert accepts("reason", "two  spaces", 1, 20)
    assert not accepts("reason", "  ", 1, 20)
    assert accepts("reason", "  ", 0, 20)


def test_text_that_looks_like_a_secret_is_not_a_name():
    assert accepts("reason", "a" * 42, 1, 99)
    assert not accepts("reason", "a" * 43, 1, 99)
    assert without_secrets("x " + "a" * 42) == "x " + "a" * 42
    assert without_secrets("x " + "a" * 43 + "!") == "x ***!"


def test_the_error_says_what_was_expected():
    for text, expected in [
        ("a" * 11, "1 to 10 printable characters"),
        ("Ann ", "no space at the ends, and no two together"),
        ("a  b " * 3, "1 to 10 printable characters"),
        ("a" * 43, "1 to 10 printable characters"),
    ]:
        with pytest.raises(InvalidName) as caught:
            LIMITS.name("name", text)
        assert caught.value.metadata["field"] == "name"
        assert caught.value.metadata["limit"] == "10"
        assert caught.value.metadata["expected"] == expected


def test_a_request_id_that_gives_a_secret_back_cannot_be_guessed():
    wide = Limits()
    assert wide.retry_key("") == ""
    assert GUESSABLE == 16
    assert wide.retry_key("a" * 16) == "a" * 16
    with pytest.raises(InvalidName):
        wide.retry_key("a" * 15)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "ANN"), ("Ann", "\uff21nn"), ("Ann", "A\u200bnn"), ("ss", "\u00df")]
)
def test_names_that_look_the_same_are_the_same(one, other):
    assert looks_like(one) == looks_like(other)
    assert looks_like(one) != looks_like(one + "x")
