"""TLS of the web port, from the same files as that of the gRPC port, reloaded in the same way."""

from __future__ import annotations

import ssl

import structlog

from taflhall_service.rpc.tls import BadCertificate, Tls

_log = structlog.get_logger("web")


def ssl_context(tls: Tls) -> ssl.SSLContext:
    """Return the context of a port, or raise :exc:`BadCertificate`.

    Renewed certificates are used from the next connection on; while they cannot be read the old
    ones stay in use.
    """
    context = _read(tls)
    stamps, current = tls.stamps(), context

    def renew(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        nonlocal stamps, current
        try:
            found = tls.stamps()
            if found != stamps:
                current, stamps = _read(tls), found
                _log.info("certificates_renewed")
        except BadCertificate as error:
            _log.error("certificates_unreadable", why=str(error))
        if current is not context:
            connection.context = current

    context.sni_callback = renew
    return context


def _read(tls: Tls) -> ssl.SSLContext:
    tls.check()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(tls.cert, tls.key, password="")
    if tls.client_ca is not None:
        context.load_verify_locations(tls.client_ca)
        context.verify_mode = ssl.CERT_REQUIRED
    return context
