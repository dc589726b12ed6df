"""The line that is being typed; what was typed before a decision was shown never answers it."""

from __future__ import annotations

from math import inf


class InputLine:
    """The characters typed since the present decision was drawn.

    Times are seconds by one monotonic clock, that of the keys.
    """

    def __init__(self) -> None:
        self.text = ""
        self.decision_id = ""
        self._drawn_at = -inf

    def show(self, decision_id: str) -> None:
        """Note that another decision, or none, will be drawn; drop what was typed."""
        if decision_id != self.decision_id:
            self.decision_id, self._drawn_at, self.text = decision_id, inf, ""

    def drawn(self, decision_id: str, time: float) -> bool:
        """Note that a decision has been drawn: if it is the present one, keys count from now on.

        Return whether they did not before.
        """
        first = decision_id == self.decision_id and self._drawn_at == inf
        if first:
            self._drawn_at = time
        return first

    def type(self, character: str, time: float) -> None:
        """Add a character that was typed at *time*, unless that was too early."""
        if self.counts(time):
            self.text += character

    def erase(self) -> None:
        """Take the last character back."""
        self.text = self.text[:-1]

    def take(self) -> str:
        """Return the line and begin another."""
        line, self.text = self.text.strip(), ""
        return line

    def counts(self, time: float) -> bool:
        """Return whether a key or a click at *time* came after what is on the screen now."""
        return time >= self._drawn_at
