"""Join codes as people type them."""

from __future__ import annotations

import pytest

from taflhall_service.app.errors import JoinCodeInvalid
from taflhall_service.app.model.join_codes import read_code


@pytest.mark.parametrize("text", ["ABCDE23456", "abcde23456", "abc de-23 456", " -ABCDE23456- "])
def test_case_blanks_and_hyphens_do_not_matter(text: str):
    assert read_code(text) == "ABCDE23456"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ABCDE2345",
        "ABCDE234567",
        "ABCDE2345!",
        "ABCDE2345\t",
        "ÄBCDE23456",
        "٣BCDE23456",
        "!!!!!!!!!!",
    ],
)
def test_anything_else_is_refused(text: str):
    with pytest.raises(JoinCodeInvalid):
        read_code(text)
