"""Errors as gRPC statuses, by the table of the contract's error reasons."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from taflhall_service.app import errors
from taflhall_service.app.errors import Refused
from taflhall_wire.error_reasons import DOMAIN, REASONS, ErrorReason
from taflhall_wire.reason_names import reason_name
from taflhall_wire.texts import texts_for

MAX_DETAILS_BYTES: Final = 5600
"""Size of a status's details; in base64 they fit into 8 KiB of trailers, the limit of clients."""

_SHORTENED: Final = 120
"""Characters of a fault's description that are returned."""

_METADATA_CHARACTERS: Final = 512
"""Characters of one value of the metadata that are returned."""

_REASONS: Final = {
    kind: REASONS[reason_name(kind.__name__)]
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, Refused) and kind is not Refused
}
_CODES: Final = {code.name: code for code in grpc.StatusCode}


def reason_of(refused: Refused) -> ErrorReason:
    """Return the entry of the table for *refused*."""
    return _REASONS[type(refused)]


def code_of(refused: Refused) -> grpc.StatusCode:
    """Return the status code of *refused*."""
    return _CODES[_REASONS[type(refused)].code]


def pause_of(refused: Refused) -> int:
    """Return how many milliseconds to wait before repeating the call; 0 if not stated."""
    if isinstance(refused, errors.RateLimited):
        return int(refused.metadata["retry_after_ms"])
    return reason_of(refused).retry_delay_ms


def texts_of(refused: Refused) -> dict[str, str]:
    """Return *refused* in words, by language."""
    if isinstance(refused, errors.IllegalCommand):
        return {
            language: texts_for(refused.game, language).refusal(refused.refusal)
            for language in reason_of(refused).texts
        }
    if isinstance(refused, errors.Malformed) and "field" not in refused.metadata:
        expected = refused.metadata["expected"]
        return {"en": f"expected {expected}", "de": f"erwartet {expected}"}
    return reason_of(refused).render(refused.metadata)


def info_of(refused: Refused) -> error_details_pb2.ErrorInfo:
    """Return the ErrorInfo of *refused*."""
    metadata = {name: text[:_METADATA_CHARACTERS] for name, text in refused.metadata.items()}
    return error_details_pb2.ErrorInfo(
        reason=reason_of(refused).name, domain=DOMAIN, metadata=metadata
    )


def status_of(refused: Refused) -> status_pb2.Status:
    """Return the status of *refused* with its details."""
    if isinstance(refused, errors.RateLimited):
        return _rate_limited(**refused.metadata)
    return _status_of(refused)


@lru_cache(1024)
def _rate_limited(**metadata: str) -> status_pb2.Status:
    """Return the status of a rate limit; refusing must be cheap."""
    return _status_of(errors.RateLimited(**metadata))


def _status_of(refused: Refused) -> status_pb2.Status:
    details: list[Message] = []
    if pause := pause_of(refused):
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(pause)
        details.append(retry)
    status = _status(code_of(refused), info_of(refused), texts_of(refused), details)
    if isinstance(refused, errors.InvalidSetup):
        room = MAX_DETAILS_BYTES - status.ByteSize()
        status.details.add().Pack(_bad_request(refused, room))
    return status


def _bad_request(refused: errors.InvalidSetup, room: int) -> error_details_pb2.BadRequest:
    """Return the faults, cut to *room* bytes: the first ones, each with a short description."""
    bad, game = error_details_pb2.BadRequest(), refused.game
    for fault in refused.faults:
        violation = bad.field_violations.add(
            field=refused.path(fault),
            description=_shorten(texts_for(game, "en").fault(fault)),
            reason=fault.code.upper(),
        )
        violation.localized_message.locale = "de"
        violation.localized_message.message = _shorten(texts_for(game, "de").fault(fault))
        if bad.ByteSize() > room - _ANY_BYTES:
            del bad.field_violations[-1]
            break
    return bad


_ANY_BYTES: Final = 64
"""Bytes that packing a detail into an Any adds, rounded up."""


def _shorten(text: str) -> str:
    return text if len(text) <= _SHORTENED else text[: _SHORTENED - 1] + "…"


def internal(correlation: str) -> status_pb2.Status:
    """Return the status of a fault of the server; *correlation* finds it in the log."""
    reason, metadata = REASONS["INTERNAL"], {"correlation": correlation}
    info = error_details_pb2.ErrorInfo(reason=reason.name, domain=DOMAIN, metadata=metadata)
    return _status(grpc.StatusCode.INTERNAL, info, reason.render(metadata), [])


def _status(
    code: grpc.StatusCode,
    info: error_details_pb2.ErrorInfo,
    texts: dict[str, str],
    more: list[Message],
) -> status_pb2.Status:
    status = status_pb2.Status(code=code.value[0], message=texts["en"])
    status.details.add().Pack(info)
    status.details.extend(_packed_text(*item) for item in texts.items())
    for detail in more:
        status.details.add().Pack(detail)
    return status


@lru_cache(1024)
def _packed_text(language: str, text: str) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(error_details_pb2.LocalizedMessage(locale=language, message=text))
    return packed
