"""The line that is being typed; what was typed before a decision was shown never answers it."""

from __future__ import annotations

from math import inf
from typing import Final

PAUSE_SECONDS: Final = 0.5
"""After a pause of this length a key begins another line."""


class InputLine:
    """The characters typed since the present decision was drawn.

    A line that was begun earlier is dropped whole, up to its Enter or a pause: the rest of it, by
    itself, could be an answer. Times are seconds by one monotonic clock, that of the keys.
    """

    def __init__(self) -> None:
        self.text = ""
        self.decision_id = ""
        self._drawn_at = -inf
        self._key_at = -inf
        self._begun_early = False

    def show(self, decision_id: str) -> None:
        """Note that another decision, or none, will be drawn; drop what was typed."""
        if decision_id != self.decision_id:
            self._begun_early |= bool(self.text)
            self.decision_id, self._drawn_at, self.text = decision_id, inf, ""

    def drawn(self, decision_id: str, time: float) -> bool:
        """Note that a decision has been drawn: if it is the present one, keys count from now on.

        Return whether they did not before.
        """
        first = decision_id == self.decision_id and self._drawn_at == inf
        if first:
            self._drawn_at = time
        return first

    def drop(self, time: float) -> None:
        """Note that keys typed before *time* were dropped elsewhere."""
        self._key_at, self._begun_early = time, True

    def type(self, character: str, time: float) -> None:
        """Add a character that was typed at *time*, unless its line was begun too early."""
        if self._continues(time):
            self.text += character

    def erase(self) -> None:
        """Take the last character back."""
        self.text = self.text[:-1]

    def clear(self) -> None:
        """Take all characters back."""
        self.text = ""

    def take(self, time: float) -> str | None:
        """Return the line that Enter ended at *time* and begin another.

        ``None``: it was begun too early.
        """
        line = self.text.strip() if self._continues(time) else None
        self.text, self._begun_early = "", False
        return line

    def counts(self, time: float) -> bool:
        """Return whether a key or a click at *time* came after what is on the screen now."""
        return time >= self._drawn_at

    def _continues(self, time: float) -> bool:
        if time - self._key_at >= PAUSE_SECONDS:
            self._begun_early = False
        self._key_at = time
        self._begun_early |= not self.counts(time)
        return not self._begun_early
