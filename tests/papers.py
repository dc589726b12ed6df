"""Certificates for a test."""

from __future__ import annotations

from pathlib import Path

import trustme

from taflhall_client.async_client import TLS
from taflhall_service.rpc.tls import Tls


class Papers:
    """An authority, and files of what it has signed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._authority = trustme.CA()
        self._folder = folder
        self.ca = folder / "ca.pem"
        self._authority.cert_pem.write_to_path(str(self.ca))

    def issue(self, *names: str) -> tuple[Path, Path]:
        """Return files of a certificate for *names* and its key."""
        leaf = self._authority.issue_cert(*names)
        cert, key = self._folder / f"{names[0]}.pem", self._folder / f"{names[0]}.key"
        leaf.cert_chain_pems[0].write_to_path(str(cert))
        leaf.private_key_pem.write_to_path(str(key))
        return cert, key

    def server(self, mutual: bool = False) -> Tls:
        return Tls(*self.issue("127.0.0.1"), self.ca if mutual else None)

    def client(self) -> TLS:
        return TLS(self.ca, *self.issue("bob@example.org"))
