"""A bucket with as much of the S3 API as an archive needs; it can be made to fail."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BUCKET = "records"
KEY_ID = "AKIATAFLHALL"

ERRORS = {
    HTTPStatus.NOT_FOUND: "ApiKeyNotFound",
    HTTPStatus.FORBIDDEN: "AccessDenied",
    HTTPStatus.SERVICE_UNAVAILABLE: "SlowDown",
}


class Bucket(ThreadingHTTPServer):
    """What is in it, by name; the next calls get :attr:`failures` for an answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.objects: dict[str, bytes] = {}
        self.failures: list[HTTPStatus] = []
        self.puts: list[str] = []

    @property
    def environment(self) -> dict[str, str]:
        """Address and credentials for a client of S3."""
        return {
            "AWS_ENDPOINT": f"http://127.0.0.1:{self.server_port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "eu-north-1",
            "AWS_ACCESS_KEY_ID": KEY_ID,
            "AWS_SECRET_ACCESS_KEY": "not a secret",
        }


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Bucket

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["content-length"]))
        if (name := self._allowed()) is not None:
            self.server.objects[name] = data
            self.server.puts.append(name)
            self._answer(HTTPStatus.OK)

    def do_GET(self) -> None:
        if (name := self._allowed()) is not None:
            data = self.server.objects.get(name)
            if data is None:
                self._answer(HTTPStatus.NOT_FOUND)
            else:
                self._answer(HTTPStatus.OK, data)

    def _allowed(self) -> str | None:
        """Return the name of the object, or answer that there will be none."""
        if self.server.failures:
            self._answer(self.server.failures.pop(0))
            return None
        _, bucket, name = self.path.split("/", 2)
        if f"Credential={KEY_ID}/" not in self.headers.get("authorization", ""):
            self._answer(HTTPStatus.FORBIDDEN)
        elif bucket != BUCKET:
            self._answer(HTTPStatus.NOT_FOUND, b"<Error><Code>NoSuchBucket</Code></Error>")
        else:
            return name
        return None

    def _answer(self, status: HTTPStatus, data: bytes = b"") -> None:
        if status in ERRORS and not data:
            data = f"<Error><Code>{ERRORS[status]}</Code></Error>".encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.send_header("etag", '"one"')
        self.send_header("last-modified", "Sat, 28 Nov 2026 06:00:00 GMT")
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def open_bucket() -> Iterator[Bucket]:
    """Serve an empty bucket."""
    bucket = Bucket()
    thread = threading.Thread(target=bucket.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield bucket
    finally:
        bucket.shutdown()
        bucket.server_close()
        thread.join()
