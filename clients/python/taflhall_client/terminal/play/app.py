"""The screen as a textual application."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Static

from taflhall_client import errors
from taflhall_client.printable import literal
from taflhall_client.terminal.line_input import drop_unread_keys
from taflhall_client.terminal.play import parts
from taflhall_client.terminal.play.controller import Controller
from taflhall_client.terminal.play.pace import Pace
from taflhall_client.terminal.play.pane import Pane
from taflhall_client.terminal.play.screen import LogLine, Screen
from taflhall_client.terminal.play.session import Session

WIDE: Final = 110
"""From this width on, the table stands beside the other panes."""
SHOW_SECONDS: Final = 0.03
"""How long reports are gathered before they are drawn."""
PANES: Final = ("table", "options", "detail", "log")


class PlayApp(App[None]):
    """A match on the screen: the table, the options, a closer look, the log, the players."""

    TITLE = "Taflhall"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", priority=True),
        Binding("ctrl+q", "leave", priority=True),
        Binding("tab", "zoom(1)", priority=True),
        Binding("shift+tab", "zoom(-1)", priority=True),
        Binding("f1", "explain", priority=True),
    ]

    def __init__(self, session: Session, screen: Screen, pace: Pace | None = None) -> None:
        super().__init__()
        self.model: Final = screen
        self.pace: Final = pace
        self._session: Final = session
        self._controller: Final = Controller(session, screen, self.show)
        self._zoomed: str | None = None
        self._show_is_due = False

    # ---------------------------------------------------------------- layout

    def compose(self) -> ComposeResult:
        """Lay the panes out; the style sheet places them by the width of the screen."""
        yield Static(id="status", markup=False)
        yield Static(id="players", markup=False)
        with Container(id="body"):
            yield Pane("table")
            with Container(id="side"):
                yield Pane("options")
                yield Pane("detail")
                yield Pane("log")
        yield Static(id="notice", markup=False)
        yield Static(id="input", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Begin to follow the match, and let the clocks run."""
        self._arrange()
        self.set_interval(0.25, self._show_players)
        self.run_worker(self._follow())

    def on_resize(self, event: events.Resize) -> None:
        """Place the panes by the new width."""
        self._arrange()
        self.call_after_refresh(self.show)

    def _arrange(self) -> None:
        wide = self.size.width >= WIDE
        self.screen.set_class(wide, "wide")
        for name in PANES:
            looking = self.model.detail is not None
            watching = not self.model.seats and not self.model.info.over
            hidden = not looking if name == "detail" else name == "log" and looking and not wide
            if name == "options":
                hidden = watching
            if self._zoomed is not None:
                hidden = name != self._zoomed
            self.query_one(f"#{name}", Pane).display = not hidden
        self.query_one("#side").display = self._zoomed != "table"

    # ---------------------------------------------------------------- what happens

    async def _follow(self) -> None:
        try:
            async for report in self._session.reports():
                self.model.apply(report)
                self._show_soon()
        except errors.TaflhallError as error:
            self.model.notice = literal(error.text(self.model.language))
            self.show()

    def _show_soon(self) -> None:
        """Draw the screen once for all reports that arrive in a moment."""
        if not self._show_is_due:
            self._show_is_due = True
            self.set_timer(SHOW_SECONDS, self.show)

    def show(self) -> None:
        """Draw the screen as it is now."""
        self._show_is_due = False
        model = self.model
        if not self.is_running or not self.screen_stack:
            return
        self._arrange()
        self._write("status", Text(model.status, "bold"))
        self._show_players()
        notice = model.question or model.notice
        self._write("notice", Text(notice, "bold yellow"))
        self.query_one("#notice").display = bool(notice)
        self._show_input()
        self._write("keys", Text(model.words("keys_pace" if self.pace else "keys"), "dim"))
        table, options, detail, log = (self.query_one(f"#{name}", Pane) for name in PANES)
        if model.covered:
            name = model.name(model.decision.seat) if model.decision is not None else ""
            self._write("status", Text(model.words("next_player", name=name), "bold"))
            for pane in (table, options, detail):
                pane.show(lambda _: ())
        else:
            table.show(lambda width: parts.table(model, width))
            options.show(lambda width: parts.options(model, width))
            detail.show(lambda _: parts.detail(model))
        log.show(lambda _: parts.log(model))
        options.bring_into_view(model.selected if model.selected is not None else 1)
        log.bring_into_view(parts.log_key(model))
        self.call_after_refresh(self._drawn, model.input.decision_id)

    def _drawn(self, decision_id: str) -> None:
        now = Message().time
        first = self.model.input.drawn(decision_id, now)
        # The times of keys not yet read would say that they came after the drawing.
        if first and decision_id and drop_unread_keys():
            self.model.input.drop(now)

    def _show_players(self) -> None:
        self._write("players", parts.players(self.model))

    def _show_input(self) -> None:
        prompt = Text("› ", "bold cyan")
        prompt.append(self.model.input.text)
        self._write("input", prompt.append("█", "blink"))

    def _write(self, name: str, text: Text) -> None:
        for line in self.query(f"#{name}").results(Static):  # none while the screen closes
            line.update(text)

    # ---------------------------------------------------------------- keys and clicks

    async def on_key(self, event: events.Key) -> None:
        """Edit the line, move among options and revisions, or carry out what was typed."""
        model, key = self.model, event.key
        if self.pace is not None and not model.input.text and self.pace.press(key):
            model.notice = self.pace.text(model.language)
            self.show()
            return
        if key in ("enter", "ctrl+j"):
            line = model.input.take(event.time)
            if line is not None:
                self._carry_out(self._controller.enter(line))
        elif key in ("up", "down"):
            if model.input.counts(event.time):
                model.move_selection(1 if key == "down" else -1)
            self.show()
        elif key in ("left", "right"):
            self._carry_out(self._controller.step(1 if key == "right" else -1))
        elif key in ("home", "end"):
            self._carry_out(self._controller.look_at(0 if key == "home" else model.revision))
        elif key in ("pageup", "pagedown"):
            self._scroll(1 if key == "pagedown" else -1)
        elif key == "escape":
            self._step_out()
        elif key == "backspace":
            model.input.erase()
            self._show_input()
        elif key == "question_mark" and not model.input.text:
            self.action_explain()
        elif event.character is not None and event.is_printable:
            model.input.type(event.character, event.time)
            self._show_input()
        else:
            return
        event.stop()

    def on_pane_clicked(self, event: Pane.Clicked) -> None:
        """Look at what was clicked; choose an offer that is looked at already."""
        model = self.model
        if not model.input.counts(event.clicked_at):
            return
        if isinstance(event.key, LogLine):
            model.show_rule(event.key.rule)
        elif isinstance(event.key, int):
            if model.selected == event.key:
                self._carry_out(self._controller.choose(event.key))
            else:
                model.select(event.key)
        self.show()

    def action_explain(self) -> None:
        """Show the help."""
        self._controller.help()
        self._zoomed = "detail"
        self.show()

    def action_zoom(self, by: int) -> None:
        """Give the whole screen to the next pane, and to all of them after the last."""
        order: list[str | None] = [None, *PANES]
        self._zoomed = order[(order.index(self._zoomed) + by) % len(order)]
        self.show()

    def action_leave(self) -> None:
        """Leave the table; a bot that plays for us gives the seat back first."""
        if self.model.delegated:
            self._carry_out(self._controller.enter("back"))
        else:
            self.exit()

    def _step_out(self) -> None:
        model = self.model
        model.input.clear()
        if self._zoomed is not None:
            self._zoomed = None
        else:
            model.past, model.detail, model.selected = None, None, None
        self.show()

    def _scroll(self, direction: int) -> None:
        pane = self.query_one(f"#{self._zoomed or 'table'}", Pane)
        pane.scroll_relative(y=direction * max(pane.size.height - 1, 1), animate=False)

    def _carry_out(self, work: Awaitable[Any]) -> None:
        self.run_worker(self._then_show(work))

    async def _then_show(self, work: Awaitable[Any]) -> None:
        await work
        if self._controller.wants_to_leave:
            self.exit()
            return
        if self.model.detail is not None and len(self.model.detail.paragraphs) > 4:
            self._zoomed = self._zoomed or "detail"
        self.show()
