"""TLS for a port: 1.2 or newer, reloaded when the files change."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog

_log = structlog.get_logger("server")


class BadCertificate(Exception):
    """Certificates that cannot be used; the message names the file, and nothing of a key."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of a port's certificates."""

    cert: Path
    """The chain, the server's own certificate first."""
    key: Path
    client_ca: Path | None = None
    """Clients must present a certificate that this authority has signed."""

    def credentials(self) -> grpc.ServerCredentials:
        """Return the credentials of a port, or raise :exc:`BadCertificate`.

        Renewed certificates are used from the next connection on; while they cannot be read the
        old ones stay in use.
        """
        reader = _Reader(self)
        return grpc.dynamic_ssl_server_credentials(
            reader.first,
            reader.next,  # type: ignore[arg-type]  # ``None`` means that nothing has changed
            require_client_authentication=self.client_ca is not None,
        )

    @property
    def files(self) -> list[Path]:
        return [self.cert, self.key, *([self.client_ca] if self.client_ca else [])]

    def stamps(self) -> list[tuple[int, int]]:
        """Return what changes with the files, or raise :exc:`BadCertificate`."""
        try:
            found = [path.stat() for path in self.files]
        except OSError as error:
            raise BadCertificate(f"cannot read {error.filename}: {error.strerror}") from None
        return [(stat.st_mtime_ns, stat.st_size) for stat in found]

    def check(self) -> None:
        """Raise :exc:`BadCertificate` unless the files are there and belong together."""
        _pem(self.key, b"PRIVATE KEY")
        for path in (self.cert, *([self.client_ca] if self.client_ca else [])):
            _pem(path, b"CERTIFICATE")
        _check_pair(self)


def tls_of(cert: str, key: str, client_ca: str) -> Tls | None:
    """Return how a port is secured, from the paths of its files; ``None``: without TLS."""
    return Tls(Path(cert), Path(key), Path(client_ca) if client_ca else None) if cert else None


class _Reader:
    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        self._stamps = tls.stamps()
        self.first = self._read()

    def next(self) -> grpc.ServerCertificateConfiguration | None:
        """Return the certificates if they have changed; called for each new connection."""
        try:
            stamps = self._tls.stamps()
            if stamps == self._stamps:
                return None
            read = self._read()
        except BadCertificate as error:
            _log.error("certificates_unreadable", why=str(error))
            return None
        self._stamps = stamps
        _log.info("certificates_renewed")
        return read

    def _read(self) -> grpc.ServerCertificateConfiguration:
        tls = self._tls
        key, cert = _pem(tls.key, b"PRIVATE KEY"), _pem(tls.cert, b"CERTIFICATE")
        ca = None if tls.client_ca is None else _pem(tls.client_ca, b"CERTIFICATE")
        _check_pair(tls)
        return grpc.ssl_server_certificate_configuration([(key, cert)], root_certificates=ca)


def _check_pair(tls: Tls) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.cert, tls.key, password="")
    except (ssl.SSLError, ValueError) as error:
        if getattr(error, "reason", None) == "KEY_VALUES_MISMATCH":
            raise BadCertificate(f"{tls.key} is not the private key of {tls.cert}") from None
        raise BadCertificate(f"{tls.cert} and {tls.key} cannot be used") from None
    except OSError as error:
        raise BadCertificate(f"cannot read {tls.cert} or {tls.key}: {error.strerror}") from None


def _pem(path: Path, kind: bytes) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadCertificate(f"cannot read {path}: {error.strerror}") from None
    if b"-----BEGIN " not in data or kind + b"-----" not in data:
        raise BadCertificate(f"{path} contains no {kind.decode().lower()}")
    return data
