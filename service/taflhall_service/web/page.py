"""The page for people: files that are read once, when the port opens, and served from memory."""

from __future__ import annotations

import gzip
import mimetypes
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from taflhall_service.web.asgi import Exchange

BUILT: Final = Path(__file__).parent / "static"
"""Where ``make page`` puts the page, and wheels have it."""

NONE: Final = "none"
"""The value of the setting by which no page is served."""

INDEX: Final = "index.html"

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect")),
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What the page may load and call: this server only, and no script or style that stands in it."""

_SECURITY: Final = (
    ("content-security-policy", POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
)
_NO_PAGE: Final = (
    b"This server has no page. In a checkout of the repository, build it by: make page\n"
    b"and start the server again. Programs call the methods of the contract at this port.\n"
)
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
_COMPRESSED: Final = frozenset(_TYPES)


class PageFile(NamedTuple):
    """A file of the page as it is sent."""

    headers: tuple[tuple[str, str], ...]
    tag: str
    plain: bytes
    compressed: bytes | None
    """The same by gzip, unless that gains nothing."""


class Page:
    """The files of a folder by their paths; nothing else is reached, whatever a path says."""

    def __init__(self, folder: str = "") -> None:
        self._files: dict[str, PageFile] = {}
        root = folder_of(folder)
        if root is not None:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    path = file.relative_to(root).as_posix()
                    self._files[f"/{path}"] = _read(file, path)
            self._files["/"] = self._files.pop(f"/{INDEX}")

    async def serve(self, exchange: Exchange) -> bool:
        """Answer a request for a file of the page; return whether it was one."""
        if exchange.method not in {"GET", "HEAD"}:
            return False
        file = self._files.get(exchange.path)
        if file is None:
            if exchange.path == "/":
                kind = ("content-type", "text/plain; charset=utf-8")
                await exchange.respond(HTTPStatus.NOT_FOUND, [kind], _NO_PAGE)
            return exchange.path == "/"
        if file.tag in exchange.headers.get("if-none-match", ""):
            await exchange.start(HTTPStatus.NOT_MODIFIED, file.headers)
            await exchange.finish()
        elif file.compressed is not None and "gzip" in exchange.headers.get("accept-encoding", ""):
            headers = (*file.headers, ("content-encoding", "gzip"))
            await exchange.respond(HTTPStatus.OK, headers, file.compressed)
        else:
            await exchange.respond(HTTPStatus.OK, file.headers, file.plain)
        return True


def folder_of(setting: str) -> Path | None:
    """Return the folder that a setting names: that of the package if empty, if it has a page."""
    if setting == NONE:
        return None
    folder = Path(setting) if setting else BUILT
    return folder if (folder / INDEX).is_file() else None


def page_at(folder: str, host: str, port: int, *, secure: bool) -> str:
    """Return the line that says where the page is; empty if there is none."""
    if folder_of(folder) is None:
        return ""
    name = "localhost" if host in {"", "0.0.0.0", "[::]"} else host  # noqa: S104
    return f"page at {'https' if secure else 'http'}://{name}:{port}/"


def _read(file: Path, path: str) -> PageFile:
    content = file.read_bytes()
    kind = _TYPES.get(file.suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    hashed = path.startswith("assets/")  # the build puts a hash of the content into these names
    headers = (
        ("content-type", kind),
        ("cache-control", "public, max-age=31536000, immutable" if hashed else "no-cache"),
        ("etag", tag),
        ("vary", "accept-encoding"),
        *_SECURITY,
    )
    compressed = gzip.compress(content, mtime=0) if file.suffix in _COMPRESSED else content
    return PageFile(headers, tag, content, compressed if len(compressed) < len(content) else None)
