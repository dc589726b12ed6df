"""Errors: one class for each reason of the contract, found by what the server sends."""

import re

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2

from taflhall_client import errors
from taflhall_client.error_decoding import BY_REASON, from_call
from taflhall_wire.error_reasons import REASONS


class Call:
    """A failed call, as grpc hands it over."""

    def __init__(self, code, details="", *parts):
        self._code = code
        self._details = details
        status = status_pb2.Status(code=code.value[0], message=details)
        for part in parts:
            packed = AnyMessage()
            packed.Pack(part)
            status.details.append(packed)
        self.trailing = [("grpc-status-details-bin", status.SerializeToString())] if parts else []

    def code(self):
        return self._code

    def details(self):
        return self._details

    def trailing_metadata(self):
        return self.trailing


def info(reason, domain="taflhall", **metadata):
    return error_details_pb2.ErrorInfo(reason=reason, domain=domain, metadata=metadata)


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_a_class_is_named_as_its_reason(reason):
    kind = BY_REASON[reason]
    assert kind.__name__ == reason.title().replace("_", "")
    assert kind("said").reason == reason
    assert kind.__doc__


def test_the_docstring_draws_the_whole_tree():
    drawn = errors.__doc__ or ""
    for kind in BY_REASON.values():
        if hasattr(errors, kind.__name__):
            assert re.search(rf"\b{kind.__name__}\b", drawn)


def test_an_illegal_command_has_its_rule_and_its_reason():
    failure = from_call(
        Call(
            grpc.StatusCode.FAILED_PRECONDITION,
            "no",
            info("ILLEGAL_COMMAND", rule="YG-7.2", refusal="world_blocked", index="2"),
            error_details_pb2.LocalizedMessage(locale="en", message="the world is blocked"),
            error_details_pb2.LocalizedMessage(locale="de", message="die Welt ist versperrt"),
        )
    )
    assert isinstance(failure, errors.IllegalCommand)
    assert (failure.rule, failure.refusal, failure.index) == ("YG-7.2", "world_blocked", 2)
    assert str(failure) == failure.text() == failure.text("en") == "the world is blocked"
    assert failure.text("de") == failure.message_de == "die Welt ist versperrt"


def test_a_failure_without_a_german_text_is_shown_in_english():
    failure = from_call(Call(grpc.StatusCode.ABORTED, "x", info("STALE_DECISION")))
    assert failure.text("de") == "x"


def test_a_stale_decision_names_the_pending_one():
    failure = from_call(Call(grpc.StatusCode.ABORTED, "", info("STALE_DECISION", decision_id="d7")))
    assert isinstance(failure, errors.StaleDecision)
    assert failure.decision_id == "d7"


def test_every_fault_of_a_setup_is_kept():
    bad = error_details_pb2.BadRequest()
    german = error_details_pb2.LocalizedMessage(locale="de", message="keine")
    bad.field_violations.add(
        field="setup.yggdrasil.gods", description="none", reason="MISSING", localized_message=german
    )
    bad.field_violations.add(field="furious", description="too many")
    failure = from_call(
        Call(grpc.StatusCode.INVALID_ARGUMENT, "invalid", info("INVALID_SETUP"), bad)
    )
    first, second = failure.violations
    assert first == ("setup.yggdrasil.gods", "MISSING", "none", "keine")
    assert first.text("de-AT") == "keine"
    assert (second.text(), second.text("de")) == ("too many", "too many")
    assert str(failure) == "invalid: setup.yggdrasil.gods: none; furious: too many"


@pytest.mark.parametrize(
    ("asked", "pushback", "pause"), [(0.2, "400", 0.4), (0.4, "200", 0.4), (0.2, "-1", 0.2)]
)
def test_the_pause_is_the_longest_that_the_server_asks_for(asked, pushback, pause):
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(int(asked * 1000))
    call = Call(grpc.StatusCode.UNAVAILABLE, "", info("BUSY"), retry)
    call.trailing.append(("grpc-retry-pushback-ms", pushback))
    assert from_call(call).retry_after == pause


def test_an_error_says_whether_the_call_may_have_been_carried_out():
    busy = Call(grpc.StatusCode.UNAVAILABLE, "", info("BUSY"))
    assert from_call(busy).uncertain
    assert not from_call(Call(grpc.StatusCode.ABORTED, "", info("STALE_DECISION"))).uncertain


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.UNAVAILABLE, errors.Unreachable),
        (grpc.StatusCode.CANCELLED, errors.Unreachable),
        (grpc.StatusCode.DEADLINE_EXCEEDED, errors.TimedOut),
        (grpc.StatusCode.UNIMPLEMENTED, errors.Rejected),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, errors.Rejected),
    ],
)
def test_a_failure_without_a_reason_goes_by_its_code(code, kind):
    assert type(from_call(Call(code, "text"))) is kind


def test_a_reason_of_the_future_keeps_its_name():
    failure = from_call(Call(grpc.StatusCode.ABORTED, "x", info("TOO_LATE")))
    assert type(failure) is errors.Rejected
    assert failure.reason == "TOO_LATE"


def test_reasons_of_other_domains_are_not_ours():
    other = info("MATCH_OVER", domain="example.com")
    assert type(from_call(Call(grpc.StatusCode.ABORTED, "x", other))) is errors.Rejected
