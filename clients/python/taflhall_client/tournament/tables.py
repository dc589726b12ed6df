"""Standings and matches of a tournament as tables: CSV, and Parquet with the extra ``parquet``.

Parquet keeps the types: what each seat has is a list, the faults of a match are a list of records,
and a strength that nothing is known of is null. In CSV a list is one text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from importlib import import_module
from typing import Any

from taflhall_client.extras import ExtraMissing
from taflhall_client.tournament.results import Fault, MatchResult
from taflhall_client.tournament.standings import Standing


def csv_tables(lines: Sequence[Standing], played: Iterable[MatchResult]) -> dict[str, str]:
    """Return the tables by the names of their files."""
    return {
        "standings.csv": _csv([asdict(line) for line in lines]),
        "matches.csv": _csv([_flat(result) for result in played]),
    }


def parquet_tables(lines: Sequence[Standing], played: Iterable[MatchResult]) -> dict[str, bytes]:
    """Return the tables by the names of their files, or raise :exc:`ExtraMissing`."""
    return {
        "standings.parquet": _parquet(Standing, [asdict(line) for line in lines]),
        "matches.parquet": _parquet(MatchResult, [result.to_data() for result in played]),
    }


def demand_parquet() -> None:
    """Raise :exc:`ExtraMissing` unless Parquet can be written."""
    try:
        import_module("pyarrow")
    except ModuleNotFoundError:
        raise ExtraMissing("Parquet", "parquet") from None


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _flat(result: MatchResult) -> dict[str, Any]:
    flat = {k: v for k, v in result.to_data().items() if k != "faults"}
    flat = {k: " ".join(map(str, v)) if isinstance(v, tuple) else v for k, v in flat.items()}
    return flat | {"faults": "; ".join(f"seat {f.seat}: {f.kind}" for f in result.faults)}


def _parquet(kind: type, rows: Sequence[dict[str, Any]]) -> bytes:
    """Return *rows*, each with the fields of the dataclass *kind*, as a file."""
    demand_parquet()
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(f.name, _column(f.type)) for f in fields(kind)])
    file = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(list(rows), schema), file)
    return bytes(file.getvalue())


def _column(annotation: Any) -> Any:
    """Return the type of a column for a field that is annotated so."""
    import pyarrow as pa

    simple = {
        "bool": pa.bool_(),
        "int": pa.int64(),
        "float": pa.float64(),
        "str": pa.string(),
    }
    name = str(annotation).removesuffix(" | None")
    if name in simple:
        return simple[name]
    item = name.removeprefix("tuple[").removesuffix(", ...]")
    if item == Fault.__name__:
        return pa.list_(pa.struct([(f.name, _column(f.type)) for f in fields(Fault)]))
    return pa.list_(simple[item])
