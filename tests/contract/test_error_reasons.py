"""The table of errors: every reason is documented, and service and client agree with it."""

import json
import re
from pathlib import Path

import grpc
import pytest

from taflhall.v1 import error_reason_pb2 as pb
from taflhall_client import error_decoding
from taflhall_client import errors as client_errors
from taflhall_service.app import errors
from taflhall_service.rpc.status import status_of
from taflhall_wire.error_reasons import DOMAIN, REASONS
from taflhall_wire.reason_names import reason_name

PROTO = Path(__file__).parents[2] / "proto/taflhall/v1/error_reason.proto"
NAMES = sorted(REASONS)
PLACES = re.compile(r"\{(\w+)\}")
UNCERTAIN = {"UNAVAILABLE", "INTERNAL"}


def comments():
    """Return the comment of each reason as one line."""
    found = re.findall(
        r"((?:^ +//.*\n)+) +ERROR_REASON_(\w+) =", PROTO.read_text("utf-8"), re.MULTILINE
    )
    return {
        name: " ".join(re.sub(r"^ +// ?", "", line) for line in comment.splitlines())
        for comment, name in found
    }


def metadata_of(comment):
    """Return the names of the metadata that a comment lists."""
    listed = comment.partition("Metadata: ")[2].partition("Example: ")[0]
    return set(re.findall(r'"(\w+)"', listed))


def test_reasons_are_numbered_without_gaps():
    assert sorted(pb.ErrorReason.values()) == list(range(len(NAMES) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_reason_has_a_code_advice_and_a_text_in_both_languages(name):
    reason = REASONS[name]
    assert hasattr(grpc.StatusCode, reason.code)
    assert set(reason.texts) == {"en", "de"}
    assert all(text and not text.endswith(".") for text in reason.texts.values())
    assert reason.retry != pb.ErrorReasonOptions.RETRY_UNSPECIFIED
    uncertain = reason.retry == pb.ErrorReasonOptions.RETRY_SAME_REQUEST
    assert uncertain == (reason.code in UNCERTAIN)


@pytest.mark.parametrize("name", NAMES)
def test_the_comment_of_a_reason_states_its_code_metadata_and_an_example(name):
    comment = comments()[name]
    assert comment.startswith(f"{REASONS[name].code}. ")
    example = json.loads(comment.partition("Example: ")[2])
    assert (example["reason"], example["domain"]) == (name, DOMAIN)
    assert set(example.get("metadata", {})) == metadata_of(comment)


@pytest.mark.parametrize("name", NAMES)
def test_the_places_of_a_text_are_metadata(name):
    for text in REASONS[name].texts.values():
        assert set(PLACES.findall(text)) <= metadata_of(comments()[name])


def test_the_service_raises_exactly_the_reasons_of_the_contract():
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, errors.Refused)
        and kind is not errors.Refused
    ]
    assert {reason_name(kind.__name__) for kind in kinds} == {*NAMES} - {"INTERNAL"}


def test_the_client_has_an_error_for_every_reason():
    assert set(error_decoding.BY_REASON) == {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_client_is_uncertain_where_the_outcome_is_unknown(name):
    uncertain = REASONS[name].retry == pb.ErrorReasonOptions.RETRY_SAME_REQUEST
    assert issubclass(error_decoding.BY_REASON[name], client_errors.Uncertain) == uncertain


def test_an_error_says_in_words_what_its_metadata_says():
    status = status_of(errors.UnknownSeat(seat=7, seats=2))
    assert status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert status.message == "there is no seat 7: the match has 2, counted from 0"
