"""The secrets themselves, looked for in every form in everything that leaves a server."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable


def forms(secret: bytes) -> list[bytes]:
    """Return how *secret* could look when it gets out."""
    plain = base64.b64encode(secret)
    url = base64.urlsafe_b64encode(secret)
    found = [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        plain,
        plain.rstrip(b"="),
        url.rstrip(b"="),
        base64.b32encode(secret).rstrip(b"="),
        repr(secret)[2:-1].encode(),
        json.dumps(secret.decode("latin-1"))[1:-1].encode(),
        str(int.from_bytes(secret, "big")).encode(),
    ]
    return [form for form in found if len(form) > 8]


def found(secrets: Iterable[bytes], output: bytes) -> list[bytes]:
    """Return those of *secrets* that occur in *said*, in any form."""
    return [secret for secret in secrets if any(form in output for form in forms(secret))]
