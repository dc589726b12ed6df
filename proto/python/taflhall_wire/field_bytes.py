"""The little of the wire format that lets finished bytes be put into a message uncopied.

A message is its fields one behind the other, and a field that comes twice counts for its last
value, or is merged if it is a message. So the serialized parts of a message, joined, are the
message.
"""

from __future__ import annotations

_MORE = 0x80


def nested(field: int, message: bytes) -> bytes:
    """Return the serialized *message* as field *field* (1 to 15) of another one."""
    size = len(message)
    lead = bytearray((field << 3 | 2,))
    while size >= _MORE:
        lead.append(size & (_MORE - 1) | _MORE)
        size >>= 7
    lead.append(size)
    return bytes(lead) + message
