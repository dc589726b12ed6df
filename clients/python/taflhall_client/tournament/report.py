"""The report of a tournament: one HTML file without anything outside it, JSON, and tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from statistics import median
from typing import Any, Final

from taflhall_client.rating.tables import cross_table, seat_table
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.journal import write_durably
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.standings import (
    Standing,
    counted,
    outcomes,
    standings,
    team_standings,
)
from taflhall_client.tournament.tables import csv_tables, parquet_tables

STYLE: Final = """
:root{color-scheme:light dark;--line:#8886;--ink:light-dark(#123,#def);--mark:light-dark(#06c,#6bf)}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;
color:var(--ink)}
table{border-collapse:collapse;margin:.5rem 0 2rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child,.text{text-align:left}
td.text{white-space:normal;min-width:16rem}
.wide{overflow-x:auto} svg{min-width:34rem} svg text{fill:var(--ink);font-size:13px}
.bad{color:light-dark(#a00,#f88)}
"""
POINTS: Final = (
    "A match gives the share of its opponents that an entrant was placed before, a tie as half."
)
CROSS: Final = "How often the one on the left was placed before the one above, a tie as half."
SEATS: Final = "At each seat: points of those possible, matches, and how many of them were won."
WIDTH: Final = 720
ROW: Final = 26
BARS: Final = 30
"""Bars of the picture of the lengths of matches."""
SHOWN: Final = 2000
"""Matches that the page lists: the last ones; the JSON and the CSV have all."""


def write(
    tournament: Tournament, results: Iterable[MatchResult], out: Path, *, parquet: bool = False
) -> list[Path]:
    """Write ``report.html``, ``report.json``, ``standings.csv`` and ``matches.csv`` into *out*.

    With *parquet* also the tables as Parquet; raise :exc:`~taflhall_client.extras.ExtraMissing`
    before anything is written if that cannot be done.
    """
    played = list(results)
    lines = standings(tournament, played)
    texts = {
        "report.html": html(tournament, played, lines),
        "report.json": json.dumps(data(tournament, played, lines), indent=1),
        **csv_tables(lines, played),
    }
    files = {name: text.encode() for name, text in texts.items()}
    if parquet:
        files |= parquet_tables(lines, played)
    for name, content in files.items():
        write_durably(out / name, content)
    return [out / name for name in files]


def data(
    tournament: Tournament, results: Sequence[MatchResult], lines: Sequence[Standing]
) -> dict[str, Any]:
    """Return the whole report as plain data."""
    return {
        "tournament": tournament.name,
        "game": tournament.game,
        "format": tournament.format,
        "description_sha256": tournament.digest,
        "standings": [asdict(line) for line in lines],
        "matches": [result.to_data() for result in results],
    }


# ---------------------------------------------------------------- HTML


def html(tournament: Tournament, results: Sequence[MatchResult], lines: Sequence[Standing]) -> str:
    """Return the report as one page."""
    played = counted(results)
    cooperative = tournament.format == "cooperative"
    name = escape(tournament.name)
    summary = (
        f"{escape(tournament.game)}, {tournament.format.replace('_', ' ')}, {tournament.seats} "
        f"seats: {len(played)} matches, {len(results) - len(played)} set aside, "
        f"{sum(len(r.faults) for r in played)} faults."
    )
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>",
        '<meta name=viewport content="width=device-width">',
        f"<style>{STYLE}</style><h1>{name}</h1>",
        f"<p>{summary}</p>",
        "<h2>Standings</h2>" if cooperative else f"<h2>Standings</h2><p>{POINTS}</p>",
        _standings(lines),
        _teams(tournament, lines),
        "<h2>Strength</h2><p>Elo points relative to the mean of all, with 95 % intervals.</p>",
        _plot(lines),
    ]
    if cooperative:
        parts += ["<h2>Scenarios</h2>", _scenarios(tournament, played)]
    else:
        parts += [f"<h2>Cross table</h2><p>{CROSS}</p>", _cross(lines, played)]
        parts += [f"<h2>Seats</h2><p>{SEATS}</p>", _seats(tournament, lines, played)]
    parts += ["<h2>Lengths</h2>", _lengths(played), "<h2>Time</h2>", _time(lines, played)]
    parts += ["<h2>Faults</h2>", _faults(played)]
    parts += ["<h2>Matches</h2>", _matches(results), "</html>"]
    return "\n".join(parts)


def _html_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], sentences: Collection[str] = ()
) -> str:
    """Return a table of numbers; the columns called *sentences* hold text, which may wrap."""
    kinds = [" class=text" if text in sentences else "" for text in head]
    cells = "".join(
        f"<th scope=col{kind}>{escape(text)}" for kind, text in zip(kinds, head, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{text}" for kind, text in zip(kinds, row, strict=True))
        for row in rows
    )
    return f"<div class=wide><table><thead><tr>{cells}<tbody>{body}</table></div>"


def _standings(lines: Sequence[Standing]) -> str:
    head = ["Entrant", "Place", "Matches", "Wins", "Points", "Faults", "Strength", "95 %"]
    rows = []
    for line in lines:
        strength, interval = "", ""
        if line.strength is not None and line.low is not None and line.high is not None:
            strength, interval = f"{line.strength:+.0f}", f"{line.low:+.0f} to {line.high:+.0f}"
        rows.append(
            [
                escape(line.name),
                str(line.place),
                str(line.matches),
                f"{line.wins:g}" if line.wins == int(line.wins) else f"{line.wins:.2f}",
                f"{line.points:.2f}",
                str(line.faults),
                strength,
                interval,
            ]
        )
    return _html_table(head, rows)


def _teams(tournament: Tournament, lines: Sequence[Standing]) -> str:
    rows = [
        [escape(team.name), str(team.place), str(team.matches), f"{team.points:.2f}"]
        for team in team_standings(tournament, lines)
    ]
    return _html_table(["Team", "Place", "Matches", "Points"], rows) if rows else ""


def _plot(lines: Sequence[Standing]) -> str:
    shown = [line for line in lines if line.strength is not None]
    if not shown:
        return "<p>Nobody has met anybody yet.</p>"
    low = min(line.low or 0.0 for line in shown)
    high = max(line.high or 0.0 for line in shown)
    span = max(1.0, high - low)

    def x(points: float) -> float:
        return 190 + (WIDTH - 210) * (points - low) / span

    height = ROW * len(shown) + 30
    drawn = [
        f'<div class=wide><svg viewBox="0 0 {WIDTH} {height}" role=img aria-label=Strengths>',
        f"<line x1={x(0):.1f} x2={x(0):.1f} y1=0 y2={height - 25} stroke=#8888 />",
    ]
    for number, line in enumerate(shown):
        y = ROW * number + 15
        first, last, at = x(line.low or 0), x(line.high or 0), x(line.strength or 0)
        drawn.append(
            f"<text x=0 y={y + 4}>{escape(line.name[:24])}</text>"
            f'<line x1={first:.1f} x2={last:.1f} y1={y} y2={y} stroke="var(--mark)" '
            f'stroke-width=3 /><circle cx={at:.1f} cy={y} r=5 fill="var(--mark)" />'
        )
    drawn += [
        f"<text x={x(points):.1f} y={height - 6} text-anchor=middle>{label}</text>"
        for points, label in ((low, f"{low:+.0f}"), (0.0, "0"), (high, f"{high:+.0f}"))
        if points == 0 or abs(points) > span / 12
    ]
    return "".join(drawn) + "</svg></div>"


def _cross(lines: Sequence[Standing], played: Sequence[MatchResult]) -> str:
    cells = cross_table(outcomes(played))
    names = [line.name for line in lines]
    rows = []
    for name in names:
        row = [escape(name)]
        for other in names:
            cell = cells.get((name, other))
            row.append(f"{100 * cell.score:.0f} % of {cell.games}" if cell else "")
        rows.append(row)
    return _html_table(["", *names], rows)


def _seats(tournament: Tournament, lines: Sequence[Standing], played: Sequence[MatchResult]) -> str:
    cells = seat_table(outcomes(played))
    rows = []
    for line in lines:
        row = [escape(line.name)]
        for seat in range(tournament.seats):
            cell = cells.get((line.name, seat))
            if cell is None:
                row.append("")
                continue
            share, wins = (100 * n / cell.matches for n in (cell.score, cell.wins))
            row.append(f"{share:.0f} % of {cell.matches}, {wins:.0f} % won")
        rows.append(row)
    total = ["all"]
    for seat in range(tournament.seats):
        here = [cell for (_, at), cell in cells.items() if at == seat]
        matches = sum(cell.matches for cell in here)
        share = 100 * sum(cell.score for cell in here) / max(1, matches)
        wins = 100 * sum(cell.wins for cell in here) / max(1, matches)
        total.append(f"{share:.0f} % of {matches}, {wins:.0f} % won")
    return _html_table(["", *[f"Seat {seat}" for seat in range(tournament.seats)]], [*rows, total])


def _scenarios(tournament: Tournament, played: Sequence[MatchResult]) -> str:
    rows = []
    for entrant in tournament.entrants:
        row = [escape(entrant.name)]
        for scenario in tournament.scenarios:
            mine = [
                r for r in played if r.scenario == scenario.name and r.entrants[0] == entrant.name
            ]
            won = sum(all(r.won) and not r.faults for r in mine)
            row.append(f"{100 * won / len(mine):.0f} % of {len(mine)}" if mine else "")
        rows.append(row)
    return _html_table(["", *[scenario.name for scenario in tournament.scenarios]], rows)


def _time(lines: Sequence[Standing], played: Sequence[MatchResult]) -> str:
    programs = any(result.cpu_seconds for result in played)
    rows = []
    for line in lines:
        seconds, decisions, spent = 0.0, 0, 0.0
        for result in played:
            for seat, name in enumerate(result.entrants):
                if name == line.name:
                    seconds += result.seconds[seat]
                    decisions += result.decisions[seat]
                    spent += result.cpu_seconds[seat] if result.cpu_seconds else 0.0
        rows.append(
            [
                escape(line.name),
                str(decisions),
                f"{seconds:.1f} s",
                f"{1000 * seconds / max(1, decisions):.2f} ms",
                *([f"{spent:.1f} s" if spent else ""] if programs else []),
            ]
        )
    head = ["Entrant", "Decisions", "Time", "A decision"]
    return _html_table([*head, "Processor time of programs"] if programs else head, rows)


def _lengths(played: Sequence[MatchResult]) -> str:
    lengths = sorted(result.commands for result in played if result.commands)
    if not lengths:
        return "<p>No match was played to its end.</p>"
    low, high = lengths[0], lengths[-1]
    step = max(1, -(-(high - low + 1) // BARS))
    counts = [0] * ((high - low) // step + 1)
    for length in lengths:
        counts[(length - low) // step] += 1
    width, tallest = WIDTH / len(counts), max(counts)
    bars = "".join(
        f"<rect x={at * width:.1f} y={100 - 90 * count / tallest:.1f} width={width * 0.9:.1f} "
        f'height={90 * count / tallest:.1f} fill="var(--mark)"><title>{low + at * step} to '
        f"{low + (at + 1) * step - 1} commands: {count} matches</title></rect>"
        for at, count in enumerate(counts)
    )
    words = f"Commands a match: {low} to {high}, median {median(lengths):g}."
    return (
        f'<p>{words}</p><div class=wide><svg viewBox="0 0 {WIDTH} 120" role=img '
        f'aria-label="{words}">{bars}'
        f"<text x=0 y=117>{low}</text><text x={WIDTH} y=117 text-anchor=end>{high}</text>"
        "</svg></div>"
    )


def _faults(played: Sequence[MatchResult]) -> str:
    rows = []
    for result in played:
        for fault in result.faults:
            link = f'<a href="{escape(fault.evidence)}">evidence</a>' if fault.evidence else ""
            text_ = f"<span class=bad>{escape(fault.kind)}</span>"
            text = escape(fault.text[:200])
            rows.append(
                [f"{result.match_id} {fault.seat}", escape(fault.entrant), text_, text, link]
            )
    if not rows:
        return "<p>None.</p>"
    again = "<p><code>taflhall tournament post-mortem DIR MATCH SEAT</code> asks a bot again.</p>"
    return again + _html_table(
        ["Match and seat", "Entrant", "Fault", "What happened", ""], rows, ["What happened"]
    )


def _matches(results: Sequence[MatchResult]) -> str:
    rows = []
    for result in results[-SHOWN:]:
        link = f'<a href="{escape(result.record)}">record</a>' if result.record else ""
        places = ", ".join(
            f"{escape(name)} {place}"
            for name, place in zip(result.entrants, result.places, strict=True)
        )
        text_ = escape(result.set_aside) if result.set_aside else places
        scores = " ".join(map(str, result.scores))
        end = " ".join([*result.reasons, *(["adjudicated"] if result.adjudicated else [])])
        rows.append([result.match_id, text_, scores, escape(end), link])
    left_out = len(results) - len(rows)
    last = f" The last {len(rows)} of {len(results)} matches:" if left_out else ""
    checks = f"<p><code>taflhall tournament verify DIR</code> replays every record.{last}</p>"
    head = ["Match", "Places by seat", "Scores", "End", ""]
    return checks + _html_table(head, rows, ["Places by seat"])
