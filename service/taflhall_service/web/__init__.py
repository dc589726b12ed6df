"""The contract for browsers and curl: Connect, gRPC-Web and WebSockets over HTTP/1.1; the page.

Calls go to the handlers of :mod:`taflhall_service.rpc` in this process, without a hop over gRPC:
one admission, one set of limits and metrics, and the caller's own address.
"""
