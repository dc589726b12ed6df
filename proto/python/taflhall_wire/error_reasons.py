"""The table of errors, read once from the options of the contract's ErrorReason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from taflhall.v1 import error_reason_pb2 as pb

DOMAIN: Final = "taflhall"
"""The domain of every ErrorInfo of the service."""

_PREFIX: Final = "ERROR_REASON_"


class ErrorReason(NamedTuple):
    """One reason: its name without the prefix and how an error with it is returned."""

    name: str
    code: str
    """The name of the gRPC status code, such as ``NOT_FOUND``."""
    texts: dict[str, str]
    """The text of each language, with places for metadata."""
    retry: pb.ErrorReasonOptions.Retry.ValueType
    retry_delay_ms: int

    def render(self, metadata: Mapping[str, str]) -> dict[str, str]:
        """Return the text of each language with *metadata* in its places."""
        return {
            language: _PLACE.sub(lambda found: metadata.get(found[1], ""), text)
            for language, text in self.texts.items()
        }


_PLACE: Final = re.compile(r"\{(\w+)\}")


def _read() -> dict[str, ErrorReason]:
    reasons = {}
    for value in pb.ErrorReason.DESCRIPTOR.values:
        if value.number == pb.ERROR_REASON_UNSPECIFIED:
            continue
        options = value.GetOptions().Extensions[pb.error_reason]
        name = value.name.removeprefix(_PREFIX)
        reasons[name] = ErrorReason(
            name,
            pb.ErrorReasonOptions.Code.Name(options.code).removeprefix("CODE_"),
            {text.language: text.text for text in options.texts},
            options.retry,
            options.retry_delay.ToMilliseconds(),
        )
    return reasons


REASONS: Final = _read()
"""All reasons by name."""
