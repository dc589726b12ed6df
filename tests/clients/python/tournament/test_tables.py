"""The tables of a tournament as CSV and as Parquet."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from taflhall_client import cli
from taflhall_client.extras import ExtraMissing
from taflhall_client.tournament.description import read
from taflhall_client.tournament.journal import read_results
from taflhall_client.tournament.report import write
from taflhall_client.tournament.results import CRASH, Fault, MatchResult
from taflhall_client.tournament.run import run
from taflhall_client.tournament.standings import Standing, standings
from taflhall_client.tournament.tables import csv_tables, parquet_tables

FAULT = Fault(1, "b", CRASH, "lost the thread", "evidence/0.0-1.json")
PLAYED = MatchResult(
    "0.0", ("a", "b"), (1, 2), (True, False), (61, 48), ("points",), 90, (0.5, 1.25), (40, 41)
)
FAILED = MatchResult(
    "0.1", ("b", "a"), (2, 1), (False, True), (), (), 3, (0.0, 0.0), (1, 1), (FAULT,)
)
LINES = [
    Standing(1, "a", 2, 2.0, 2.0, 0, 12.5, -80.0, 105.0),
    Standing(2, "b", 2, 0.0, 0.0, 1),
]


def rows_of(raw: bytes) -> list[dict[str, Any]]:
    parquet = pytest.importorskip("pyarrow.parquet")
    found: list[dict[str, Any]] = parquet.read_table(io.BytesIO(raw)).to_pylist()
    return found


def test_parquet_keeps_lists_faults_and_what_is_not_known():
    tables = parquet_tables(LINES, [PLAYED, FAILED])
    first, second = rows_of(tables["matches.parquet"])
    assert (first["entrants"], first["scores"]) == (["a", "b"], [61, 48])
    assert (first["won"], first["seconds"]) == ([True, False], [0.5, 1.25])
    assert (first["faults"], second["scores"]) == ([], [])
    assert second["faults"] == [
        {
            "seat": 1,
            "entrant": "b",
            "kind": CRASH,
            "text": "lost the thread",
            "evidence": "evidence/0.0-1.json",
        }
    ]
    best, last = rows_of(tables["standings.parquet"])
    assert (best["strength"], last["strength"], last["faults"]) == (12.5, None, 1)


def test_parquet_has_the_same_columns_without_a_match():
    (empty, full) = (parquet_tables(LINES, played) for played in ([], [PLAYED]))
    parquet = pytest.importorskip("pyarrow.parquet")
    schemas = [parquet.read_schema(io.BytesIO(t["matches.parquet"])) for t in (empty, full)]
    assert schemas[0] == schemas[1]


def test_csv_has_a_line_for_each_match():
    header, first, second = csv_tables(LINES, [PLAYED, FAILED])["matches.csv"].splitlines()
    assert header.startswith("match_id,entrants,places,")
    assert first.startswith("0.0,a b,1 2,True False,61 48,")
    assert second.endswith("seat 1: crash")


def test_without_the_extra_the_error_names_it(monkeypatch, describe, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExtraMissing, match=r'pip install "taflhall\[parquet\]"') as error:
        parquet_tables(LINES, [PLAYED])
    assert error.value.extra == "parquet"
    out = describe("random", "random").parent / "out"
    words = ["tournament", "run", str(out.parent / "cup.toml"), "--out", str(out), "--parquet"]
    assert cli.run(words) == 2
    assert "taflhall[parquet]" in capsys.readouterr().err
    assert not out.exists()


def test_a_report_has_the_tables_of_its_tournament(describe):
    file = describe("random", "random")
    out = file.parent / "out"
    run(read(file), file, out, 1)
    results = read_results(out)
    names = {path.name for path in write(read(file), results, out, parquet=True)}
    assert {"standings.parquet", "matches.parquet", "standings.csv", "matches.csv"} < names
    matches = rows_of((out / "matches.parquet").read_bytes())
    assert [row["match_id"] for row in matches] == [result.match_id for result in results]
    places = [row["place"] for row in rows_of((out / "standings.parquet").read_bytes())]
    assert places == [line.place for line in standings(read(file), results)]
