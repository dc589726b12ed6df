"""A pane of the screen: lines that can be scrolled and clicked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from io import StringIO
from typing import Final, NamedTuple

from rich.console import Console, RenderableType
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

Key = Hashable


class Part(NamedTuple):
    """A piece of a pane's content, and what a click on it means; ``None``: nothing."""

    content: RenderableType
    key: Key = None


class Pane(ScrollView, can_focus=False):
    """Shows parts from top to bottom, as wide as it is."""

    class Clicked(Message):
        """A part was clicked."""

        def __init__(self, pane: Pane, key: Key, time: float) -> None:
            super().__init__()
            self.pane: Final = pane
            self.key: Final = key
            self.clicked_at: Final = time

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._build: Callable[[int], Iterable[Part]] = lambda _: ()
        self._strips: list[Strip] = []
        self._keys: list[Key] = []

    def show(self, build: Callable[[int], Iterable[Part]]) -> None:
        """Show the parts that *build* returns for the width of the pane."""
        self._build = build
        self._render_parts()

    def _render_parts(self) -> None:
        width = max(self.scrollable_content_region.width, 1)
        console = Console(
            file=StringIO(), width=width, color_system="truecolor", force_terminal=True,
            highlight=False, markup=False, emoji=False, legacy_windows=False,
        )  # fmt: skip
        strips: list[Strip] = []
        keys: list[Key] = []
        for part in self._build(width):
            for line in console.render_lines(part.content, pad=True):
                strips.append(Strip(_plain(line), width))
                keys.append(part.key)
        self._strips, self._keys = strips, keys
        self.virtual_size = Size(width, len(strips))
        self.refresh()

    def bring_into_view(self, key: Key) -> None:
        """Scroll so that the part with *key* can be seen."""
        if key not in self._keys:
            return
        first = self._keys.index(key)
        last = len(self._keys) - 1 - self._keys[::-1].index(key)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if first < top:
            self.scroll_to(y=first, animate=False)
        elif last >= top + height:
            self.scroll_to(y=last - height + 1, animate=False)

    def to_end(self) -> None:
        """Scroll to the last line."""
        self.scroll_to(y=max(0, len(self._strips)), animate=False)

    def render_line(self, y: int) -> Strip:
        """Return a line of what is visible."""
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        if at < len(self._strips):
            strip = self._strips[at].crop_extend(0, width, self.rich_style)
            return strip.apply_style(self.rich_style)
        return Strip.blank(width, self.rich_style)

    @property
    def text(self) -> str:
        """All lines as plain text."""
        return "\n".join(strip.text.rstrip() for strip in self._strips)

    def on_resize(self, event: events.Resize) -> None:
        """Render again for the new width."""
        self._render_parts()

    def on_click(self, event: events.Click) -> None:
        """Report what was clicked."""
        at = event.y - self.gutter.top + self.scroll_offset.y
        if 0 <= at < len(self._keys) and self._keys[at] is not None:
            self.post_message(self.Clicked(self, self._keys[at], event.time))


def _plain(line: list[Segment]) -> list[Segment]:
    return [segment for segment in line if not segment.control]
