"""Envelopes: a byte of flags, the length in four bytes, and a message."""

from __future__ import annotations

from typing import Final

from taflhall_service.web.status import malformed, unimplemented

COMPRESSED: Final = 0x01
END_STREAM: Final = 0x02
"""The last envelope of a Connect stream; it holds JSON."""
TRAILERS: Final = 0x80
"""The last envelope of a gRPC-Web response; it holds lines like those of headers."""

HEAD: Final = 5


def envelope(flags: int, message: bytes) -> bytes:
    """Return *message* in an envelope."""
    return bytes((flags,)) + len(message).to_bytes(4, "big") + message


def only_message(body: bytes) -> bytes:
    """Return the message of a body that must be one envelope."""
    if len(body) < HEAD or len(body) - HEAD != int.from_bytes(body[1:HEAD], "big"):
        malformed("the body of the request has to be one envelope with one message")
    if body[0] & COMPRESSED:
        unimplemented("requests are sent uncompressed")
    return body[HEAD:]
