"""What an analysis found: as JSON, and as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Final

from taflhall_client.analysis.judgement import Grade
from taflhall_client.analysis.match import Effort, JudgedDecision

FORMAT: Final = 1
"""The number of the form of the JSON."""
GRADES: Final = [grade.name.lower() for grade in Grade if grade]
PLURALS: Final = ["inaccuracies", "mistakes", "blunders"]
WIDTH: Final = 960
HEIGHT: Final = 300
MARGIN: Final = 40
COLOURS: Final = ("#06c", "#c50", "#283", "#a2a", "#777")
STYLE: Final = """
:root{color-scheme:light dark;--line:#8886;--ink:light-dark(#123,#def)}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;
color:var(--ink)}
table{border-collapse:collapse;margin:.5rem 0 2rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:right}
td.text,th.text{text-align:left;overflow-wrap:break-word}
.wide{overflow-x:auto} svg{width:100%;height:auto} svg text{fill:var(--ink);font-size:13px}
.inaccuracy td{background:#fc03} .mistake td{background:#f803} .blunder td{background:#f003}
:target td{outline:2px solid}
"""

LEGEND: Final = (
    "What each seat could expect before its decisions, from its own view: 0 is lost, 100 is won "
    "alone. Dots are mistakes, at what was left after them."
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysed match."""

    game: str
    title: str
    seats: list[str]
    result: str
    """How it ended, in words."""
    effort: Effort
    seed: int
    answers: int
    """Answers in the record; those beyond the decisions had no choice or were not searched."""
    decisions: Sequence[JudgedDecision]

    def of_seat(self, seat: int) -> list[JudgedDecision]:
        """Return the decisions of *seat*."""
        return [decision for decision in self.decisions if decision.seat == seat]


def data(analysis: Analysis) -> dict[str, Any]:
    """Return *analysis* as plain data."""
    return {
        "format": FORMAT,
        "game": analysis.game,
        "seats": analysis.seats,
        "result": analysis.result,
        "iterations": analysis.effort.iterations,
        "trials": analysis.effort.trials,
        "seed": analysis.seed,
        "answers": analysis.answers,
        "decisions": [
            asdict(decision) | {"loss": decision.loss} for decision in analysis.decisions
        ],
    }


def html(analysis: Analysis) -> str:
    """Return *analysis* as one page."""
    title = f"Analysis: {escape(analysis.title)}, {escape(', '.join(analysis.seats))}"
    effort = analysis.effort
    searched = (
        f"{len(analysis.decisions)} of {analysis.answers} answers were searched: "
        f"{effort.iterations} iterations and twice {effort.trials} trials each, "
        f"seed {analysis.seed}."
    )
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>",
        '<meta name=viewport content="width=device-width">',
        f"<style>{STYLE}</style><h1>{title}</h1>",
        f"<p>{escape(analysis.result)}. {searched}</p>",
        "<h2>Expected results</h2>",
        f"<p>{LEGEND}</p>",
        _graph(analysis),
        "<h2>Seats</h2>",
        _seats(analysis),
        "<h2>Decisions</h2>",
        _decisions(analysis),
        "</html>",
    ]
    return "\n".join(parts)


def seat_rows(analysis: Analysis) -> list[list[str]]:
    """Return for each seat: name, decisions, mean loss in percent, and how many of each grade."""
    rows = []
    for seat, name in enumerate(analysis.seats):
        own = analysis.of_seat(seat)
        lost = sum([decision.loss for decision in own])
        counts = [sum([d.grade == grade for d in own]) for grade in GRADES]
        rows.append(
            [name, str(len(own)), f"{100 * lost / max(1, len(own)):.2f}", *map(str, counts)]
        )
    return rows


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.1f}"


def _graph(analysis: Analysis) -> str:
    last = max([decision.revision for decision in analysis.decisions], default=1)

    def x(revision: int) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * revision / last

    def y(share: float) -> float:
        return HEIGHT - MARGIN / 2 - (HEIGHT - MARGIN) * share

    drawn = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role=img aria-label="Expected results">']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        drawn.append(
            f"<line x1={MARGIN} x2={WIDTH - MARGIN} y1={y(share):.1f} y2={y(share):.1f} "
            f"stroke=#8884 /><text x={MARGIN - 6} y={y(share) + 4:.1f} text-anchor=end>"
            f"{100 * share:.0f}</text>"
        )
    for seat, name in enumerate(analysis.seats):
        own, colour = analysis.of_seat(seat), COLOURS[seat % len(COLOURS)]
        points = " ".join([f"{x(d.revision):.1f},{y(d.before):.1f}" for d in own])
        drawn.append(f'<polyline points="{points}" fill=none stroke="{colour}" stroke-width=2 />')
        drawn.append(
            f'<text x={MARGIN + 10} y={20 + 18 * seat} style="fill:{colour}">{escape(name)}</text>'
        )
        drawn += [
            f'<a href="#r{d.revision}"><circle cx={x(d.revision):.1f} cy={y(d.after):.1f} r=5 '
            f'fill="{colour}"><title>{d.revision}: {escape(d.chosen)} ({d.grade})</title>'
            "</circle></a>"
            for d in own
            if d.grade
        ]
    return "".join(drawn) + "</svg>"


def _seats(analysis: Analysis) -> str:
    head = ["Seat", "Decisions", "Mean loss", *[grade.capitalize() for grade in PLURALS]]
    cells = "".join([f"<th scope=col>{text}" for text in head])
    rows = [
        "<tr>" + "".join([f"<td>{escape(cell)}" for cell in row]) for row in seat_rows(analysis)
    ]
    return f"<table><thead><tr>{cells}<tbody>{''.join(rows)}</table>"


def _decisions(analysis: Analysis) -> str:
    head = ["Revision", "Seat", "Before", "After", "Loss", "±"]
    cells = "".join([f"<th scope=col>{text}" for text in head])
    cells += "".join([f"<th scope=col class=text>{text}" for text in ("Chosen", "Best", "")])
    rows = []
    for d in analysis.decisions:
        numbers = (d.before, d.after, d.loss, d.error)
        same = "" if d.best == d.chosen else escape(d.best)
        rows.append(
            f'<tr id=r{d.revision} class="{d.grade}"><td>{d.revision}'
            f"<td>{escape(analysis.seats[d.seat])}"
            + "".join([f"<td>{percent(number)}" for number in numbers])
            + f"<td class=text>{escape(d.chosen)}<td class=text>{same}<td class=text>{d.grade}"
        )
    return f"<div class=wide><table><thead><tr>{cells}<tbody>{''.join(rows)}</table></div>"
