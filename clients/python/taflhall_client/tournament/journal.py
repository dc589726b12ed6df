"""The folder of a tournament: its description, results line by line, records, evidence.

``results.jsonl`` has one line for each match, written and synced before the match counts; a line
that a crash cut off is dropped when the folder is opened again. One process at a time uses it.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.results import MatchResult

RESULTS: Final = "results.jsonl"
DESCRIPTION: Final = "tournament.toml"


class JournalError(Exception):
    """The folder cannot be used: by whom, or with what, it is in use."""


class Journal:
    """The folder *out* of *tournament*, opened to write."""

    def __init__(self, out: Path, tournament: Tournament, source: Path) -> None:
        self.out: Final = out
        self.results: Final[dict[str, MatchResult]] = {}
        """By match, those that count."""
        self.set_aside = 0
        """How many matches were set aside and played again."""
        self._tournament: Final = tournament
        self._source: Final = source
        self._lock: IO[str] | None = None
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise JournalError(f"{self.out}: is a file, not the folder of a tournament") from None
        for folder in ("records", "evidence"):
            (self.out / folder).mkdir(exist_ok=True)
        self._lock = (self.out / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise JournalError(f"{self.out}: another process plays this tournament") from None
        kept = self.out / DESCRIPTION
        text = self._source.read_bytes()
        if kept.exists() and kept.read_bytes() != text:
            raise JournalError(
                f"{self.out}: holds another tournament; {kept} differs from {self._source}"
            )
        write_durably(kept, text)
        for result in read_results(self.out, mend=True):
            self._count(result)
        self._file = (self.out / RESULTS).open("ab")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            self._lock.close()

    def add(self, results: Iterable[MatchResult]) -> None:
        """Write *results*; they count when this returns."""
        assert self._file is not None
        for result in results:
            line = json.dumps(result.to_data(), separators=(",", ":"), ensure_ascii=False)
            self._file.write(line.encode() + b"\n")
            self._count(result)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _count(self, result: MatchResult) -> None:
        if result.set_aside:
            self.set_aside += 1
        else:
            self.results.setdefault(result.match_id, result)


def read_results(out: Path, *, mend: bool = False) -> list[MatchResult]:
    """Return all results in *out*, in the order in which they came.

    A last line that was cut off is left out; with *mend* it is removed from the file. Raise
    :exc:`JournalError` for a line that is damaged otherwise.
    """
    file = out / RESULTS
    if not file.exists():
        return []
    raw = file.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    if mend and len(whole) < len(raw):
        with file.open("r+b") as opened:
            opened.truncate(len(whole))
            os.fsync(opened.fileno())
    found: list[MatchResult] = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            found.append(MatchResult.from_data(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            raise JournalError(f"{file}, line {number}: damaged: {error}") from None
    return found


def write_durably(file: Path, content: bytes) -> None:
    """Write *file* so that it is either as before or complete, also after a loss of power."""
    part = file.with_name(file.name + ".part")
    with part.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    part.replace(file)


def write_whole(file: Path, content: bytes) -> None:
    """Write *file* so that it is either as before or complete, whenever this process is killed."""
    part = f"{file}.part"
    with open(part, "wb") as opened:  # noqa: PTH123  # a Path takes twice as long
        opened.write(content)
    os.replace(part, file)  # noqa: PTH105
