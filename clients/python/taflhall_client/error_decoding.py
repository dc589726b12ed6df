"""Turns what a server answers into the errors of :mod:`taflhall_client.errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from google.rpc import error_details_pb2, status_pb2

from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1.error_reason_pb2 import ErrorReasonOptions
from taflhall_client.errors import (
    Refused,
    Rejected,
    StreamLost,
    TaflhallError,
    TimedOut,
    Uncertain,
    Unreachable,
    Violation,
)
from taflhall_wire.error_reasons import DOMAIN, REASONS
from taflhall_wire.reason_names import reason_name

if TYPE_CHECKING:  # matches in process need no gRPC, which takes long to import
    import grpc

_UNCERTAIN: Final = frozenset(
    {"UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "INTERNAL", "UNKNOWN"}
)
"""The names of status codes after which a call may have been carried out."""

_OURS: Final = frozenset(
    {TaflhallError, Refused, Uncertain, Rejected, Unreachable, TimedOut, StreamLost}
)


def _named(kind: type[TaflhallError]) -> dict[str, type[TaflhallError]]:
    found = {} if kind in _OURS else {reason_name(kind.__name__): kind}
    for sub in kind.__subclasses__():
        found |= _named(sub)
    return found


def _all_named() -> dict[str, type[TaflhallError]]:
    named = _named(Refused) | _named(Uncertain)
    for name in REASONS.keys() - named.keys():  # those without a class of their own
        repeat = REASONS[name].retry == ErrorReasonOptions.RETRY_SAME_REQUEST
        kind = Uncertain if repeat else Refused
        doc = {"__doc__": REASONS[name].texts["en"]}
        named[name] = type(name.title().replace("_", ""), (kind,), doc)
    return named


BY_REASON: Final = _all_named()
"""The error of each reason of the contract."""


def is_overtaken(call: Any) -> bool:
    """Return whether a failed call is one of :exc:`StreamLost`."""
    lost = call.code().name == "INTERNAL" and call.details() == "Internal error from Core"
    return lost and not call.trailing_metadata()


def from_call(call: Any) -> TaflhallError:
    """Return the error of a failed call (``grpc.RpcError``)."""
    if is_overtaken(call):
        return StreamLost("the server ended the stream while a message was written to it")
    return _from_status(call.code(), call.details() or "", call.trailing_metadata() or ())


def _from_status(code: grpc.StatusCode, details: str, trailing: Any) -> TaflhallError:
    reason, message, message_de = "", details, ""
    metadata: dict[str, str] = {}
    violations: list[Violation] = []
    pause = 0.0
    for key, value in trailing:
        if key == "grpc-retry-pushback-ms" and value.isdecimal():
            pause = max(pause, int(value) / 1000)
        if key != "grpc-status-details-bin":
            continue
        status = status_pb2.Status.FromString(value)
        for detail in status.details:
            info = error_details_pb2.ErrorInfo()
            words = error_details_pb2.LocalizedMessage()
            bad = error_details_pb2.BadRequest()
            retry = error_details_pb2.RetryInfo()
            if detail.Unpack(info) and info.domain == DOMAIN:
                reason, metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(words):
                if words.locale == "en":
                    message = words.message
                elif words.locale == "de":
                    message_de = words.message
            elif detail.Unpack(bad):
                violations = [_violation(found) for found in bad.field_violations]
            elif detail.Unpack(retry):
                pause = max(pause, retry.retry_delay.ToMilliseconds() / 1000)
    kind = BY_REASON.get(reason)
    if kind is None:
        if code.name == "DEADLINE_EXCEEDED":
            kind = TimedOut
        else:
            kind = Unreachable if code.name in _UNCERTAIN else Rejected
    text = message or code.name.lower().replace("_", " ")
    return kind(
        text,
        message_de=message_de,
        reason=reason or code.name,
        metadata=metadata,
        violations=violations,
        retry_after=pause,
    )


def _violation(found: error_details_pb2.BadRequest.FieldViolation) -> Violation:
    german = found.localized_message.message or found.description
    return Violation(found.field, found.reason, found.description, german)


def from_rejection(rejection: rpc.PlayRejection) -> TaflhallError:
    """Return the error of a rejected answer in a play stream."""
    metadata = dict(rejection.metadata)
    kind, known = BY_REASON.get(rejection.reason, Rejected), REASONS.get(rejection.reason)
    texts = known.render(metadata) if known is not None else {}
    return kind(
        texts.get("en", rejection.reason),
        message_de=texts.get("de", ""),
        reason=rejection.reason,
        metadata=metadata,
    )
