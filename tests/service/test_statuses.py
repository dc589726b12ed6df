"""Refusals as gRPC statuses: what the details say, and that they fit into the trailers."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.game import Fault
from taflhall_service.app import errors
from taflhall_service.rpc.status import (
    MAX_DETAILS_BYTES,
    code_of,
    info_of,
    internal,
    pause_of,
    status_of,
    texts_of,
)

GAME = registry.game("champions")


def details(status: status_pb2.Status) -> list[Any]:
    """Return the details of a status, each as the message that it is."""
    found: list[Any] = []
    for packed in status.details:
        kind = getattr(error_details_pb2, packed.TypeName().rpartition(".")[2])
        message = kind()
        assert packed.Unpack(message)
        found.append(message)
    return found


def kinds(status: status_pb2.Status) -> list[str]:
    return [type(message).__name__ for message in details(status)]


def test_a_status_names_its_reason_and_says_it_in_both_languages():
    refused = errors.UnknownSeat(seat=7, seats=2)
    status = status_of(refused)
    info, english, german = details(status)
    assert (info.reason, info.domain) == ("UNKNOWN_SEAT", "taflhall")
    assert dict(info.metadata) == {"seat": "7", "seats": "2"}
    assert (english.locale, german.locale) == ("en", "de")
    assert english.message == status.message == texts_of(refused)["en"]
    assert german.message == texts_of(refused)["de"] != status.message
    assert status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert (code_of(refused), pause_of(refused)) == (grpc.StatusCode.INVALID_ARGUMENT, 0)


def test_a_long_value_of_the_metadata_is_returned_in_part():
    info = info_of(errors.MatchNotFound(match_id="m" * 600))
    assert info.metadata["match_id"] == "m" * 512


def test_a_rate_limit_says_how_long_to_wait():
    refused = errors.RateLimited(scope="caller", retry_after_ms=1500)
    assert pause_of(refused) == 1500
    status = status_of(refused)
    assert status is status_of(errors.RateLimited(scope="caller", retry_after_ms=1500))
    assert status != status_of(errors.RateLimited(scope="caller", retry_after_ms=2000))
    assert kinds(status) == ["ErrorInfo", "LocalizedMessage", "LocalizedMessage", "RetryInfo"]
    assert details(status)[-1].retry_delay.ToMilliseconds() == 1500


def test_a_reason_whose_calls_may_be_repeated_says_when():
    refused = errors.StoreUnavailable()
    assert pause_of(refused) > 0
    assert details(status_of(refused))[-1].retry_delay.ToMilliseconds() == pause_of(refused)


def test_an_illegal_command_is_explained_by_its_rule():
    refused = errors.IllegalCommand(GAME, Refusal("", "not_offered"), 3)
    texts = texts_of(refused)
    assert set(texts) == {"en", "de"}
    assert texts["en"] != texts["de"]
    assert details(status_of(refused))[0].metadata["refusal"] == "not_offered"


def test_a_malformed_request_says_what_was_expected_even_without_a_field():
    assert texts_of(errors.Malformed(expected="bytes")) == {
        "en": "expected bytes",
        "de": "erwartet bytes",
    }
    assert "labels" in texts_of(errors.Malformed(field="labels", expected="few"))["en"]


def test_the_faults_of_a_setup_are_named_one_by_one():
    faults = [Fault("seats", "out_of_range", "9", "2-4"), Fault("rounds", "wrong_type", "x")]
    status = status_of(errors.InvalidSetup(GAME, faults))
    bad = details(status)[-1]
    assert kinds(status)[-1] == "BadRequest"
    first, second = bad.field_violations
    assert (first.field, second.field) == ("setup.seats", "setup.champions.rounds")
    assert (first.reason, second.reason) == ("OUT_OF_RANGE", "WRONG_TYPE")
    for violation in bad.field_violations:
        assert violation.localized_message.locale == "de"
        assert violation.description
        assert violation.localized_message.message not in ("", violation.description)


@pytest.mark.parametrize(
    ("text", "shown"), [("x" * 120, "x" * 120), ("x" * 121, "x" * 119 + "…")], ids=["fits", "cut"]
)
def test_a_long_description_of_a_fault_is_cut(text: str, shown: str):
    faults = [Fault("rounds", text)]  # a code without a text is shown itself
    (violation,) = details(status_of(errors.InvalidSetup(GAME, faults)))[-1].field_violations
    assert violation.description == violation.localized_message.message == shown


def test_as_many_faults_are_named_as_fit_into_the_trailers():
    sizes = []
    for number in range(1, 200, 3):
        faults = [Fault(f"field_{n:03}", "wrong_type", "x" * 40) for n in range(number)]
        status = status_of(errors.InvalidSetup(GAME, faults))
        named = [violation.field for violation in details(status)[-1].field_violations]
        assert named == [f"setup.champions.field_{n:03}" for n in range(len(named))]
        assert status.ByteSize() <= MAX_DETAILS_BYTES
        sizes.append((len(named), status.ByteSize()))
    most = max(named for named, _ in sizes)
    assert 10 < most < 200
    assert max(size for _, size in sizes) > MAX_DETAILS_BYTES - 500


def test_no_fault_is_named_behind_one_that_does_not_fit():
    faults = [Fault(f"field_{n:03}", "wrong_type", "x" * 40) for n in range(200)]
    status = status_of(errors.InvalidSetup(GAME, [*faults, Fault("f", "x")]))
    assert details(status)[-1].field_violations[-1].field != "setup.champions.f"


def test_a_fault_of_the_server_is_found_by_its_number_alone():
    status = internal("c0ffee")
    info, english, _ = details(status)
    assert (info.reason, info.domain, dict(info.metadata)) == (
        "INTERNAL",
        "taflhall",
        {"correlation": "c0ffee"},
    )
    assert status.code == grpc.StatusCode.INTERNAL.value[0]
    assert "c0ffee" in english.message
