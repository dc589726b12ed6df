"""Ids and tokens that callers hold: they fit one place in one history, and nothing else."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest

from taflhall_service.app.errors import InvalidPageToken, Malformed
from taflhall_service.app.model.tokens import (
    MAX_STEPS,
    ResumePoint,
    decision_id,
    draft_id,
    matches_history,
    page_token,
    read_page_token,
    read_token,
    resume_token,
    split_draft,
)

KEY, HEAD = b"k" * 32, b"h" * 32
AT = ResumePoint(70_000, 3_000_000_000)


def altered(token: str, place: int) -> str:
    """Return *token* with one bit of the byte at *place* changed."""
    raw = bytearray(urlsafe_b64decode(token))
    raw[place] ^= 1
    return urlsafe_b64encode(bytes(raw)).decode()


def test_a_decision_id_is_bound_to_key_history_revision_and_seat():
    ids = {
        decision_id(KEY, HEAD, 7, 1),
        decision_id(b"x" * 32, HEAD, 7, 1),
        decision_id(KEY, b"x" * 32, 7, 1),
        decision_id(KEY, HEAD, 8, 1),
        decision_id(KEY, HEAD, 7, 2),
    }
    assert len(ids) == 5
    assert decision_id(KEY, HEAD, 7, 1) == decision_id(KEY, HEAD, 7, 1)
    assert decision_id(KEY, HEAD, 7, 1).startswith("7-")
    assert len(decision_id(KEY, HEAD, 7, 1)) == len("7-") + 12


def test_a_decision_keeps_its_id_from_release_to_release():
    """Players may hold an id while the servers are replaced."""
    assert decision_id(KEY, HEAD, 7, 1) == "7-X0fRzi0RNy0l"


@pytest.mark.parametrize("taken", [[], [0], [3, 0, 255], [9999], [1] * MAX_STEPS])
def test_a_draft_id_names_the_decision_and_the_options_taken(taken):
    assert split_draft(draft_id("7-abc", taken)) == ("7-abc", taken)


@pytest.mark.parametrize(
    "text",
    [
        "7-abc.",
        "7-abc.x",
        "7-abc.-1",
        "7-abc.10000",
        "7-abc.1..2",
        "7-abc" + ".1" * 65,
        "7-abc.\N{ARABIC-INDIC DIGIT ONE}",
        "7-abc.\N{SUPERSCRIPT TWO}",
    ],
)
def test_an_id_with_a_step_that_is_no_small_number_is_malformed(text):
    with pytest.raises(Malformed):
        split_draft(text)


def test_a_resume_token_gives_back_its_place():
    token = resume_token(KEY, "m1", 2, AT, HEAD)
    read = read_token(KEY, "m1", 2, token)
    assert (read.revision, read.nonce) == (70_000, 3_000_000_000)
    assert matches_history(KEY, "m1", 2, read, HEAD)
    assert not matches_history(KEY, "m1", 2, read, b"x" * 32)
    assert len(urlsafe_b64decode(token)) == 36


@pytest.mark.parametrize(
    ("key", "match_id", "viewer"), [(b"x" * 32, "m1", 2), (KEY, "m2", 2), (KEY, "m1", -1)]
)
def test_a_resume_token_is_of_one_match_and_viewer(key, match_id, viewer):
    token = resume_token(KEY, "m1", 2, AT, HEAD)
    with pytest.raises(Malformed):
        read_token(key, match_id, viewer, token)
    read = read_token(KEY, "m1", 2, token)
    assert not matches_history(key, match_id, viewer, read, HEAD)


@pytest.mark.parametrize("place", range(24))
def test_no_bit_of_the_place_in_a_resume_token_can_be_changed(place):
    token = resume_token(KEY, "m1", 2, AT, HEAD)
    with pytest.raises(Malformed):
        read_token(KEY, "m1", 2, altered(token, place))


@pytest.mark.parametrize("place", range(24, 36))
def test_a_resume_token_with_another_proof_fits_no_history(place):
    token = altered(resume_token(KEY, "m1", 2, AT, HEAD), place)
    assert not matches_history(KEY, "m1", 2, read_token(KEY, "m1", 2, token), HEAD)


@pytest.mark.parametrize("text", ["", "A", "\u00e9", "AAAA", "!!!!"])
def test_an_invalid_token_is_malformed(text):
    with pytest.raises(Malformed):
        read_token(KEY, "m1", 2, text)
    with pytest.raises(InvalidPageToken):
        read_page_token(KEY, text, "matches")


@pytest.mark.parametrize("change", [lambda raw: raw[:-1], lambda raw: raw + b"x"])
def test_a_resume_token_of_another_length_is_malformed(change):
    raw = urlsafe_b64decode(resume_token(KEY, "m1", 2, AT, HEAD))
    with pytest.raises(Malformed):
        read_token(KEY, "m1", 2, urlsafe_b64encode(change(raw)).decode())


def test_a_page_token_after_nothing_is_refused():
    with pytest.raises(InvalidPageToken):
        read_page_token(KEY, page_token(KEY, "", "matches"), "matches")


@pytest.mark.parametrize("last", ["a", "1700000000000-" + "m" * 32])
def test_a_page_token_can_be_read_back_and_reveals_nothing(last):
    token = page_token(KEY, last, "matches/open")
    assert read_page_token(KEY, token, "matches/open") == last
    assert len(last) < 9 or last.encode() not in urlsafe_b64decode(token)
    for key, listing in ((b"x" * 32, "matches/open"), (KEY, "matches")):
        with pytest.raises(InvalidPageToken):
            read_page_token(key, token, listing)
    for place in (0, 15, 16, len(urlsafe_b64decode(token)) - 1):
        with pytest.raises(InvalidPageToken):
            read_page_token(KEY, altered(token, place), "matches/open")
