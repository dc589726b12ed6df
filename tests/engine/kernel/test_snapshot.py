"""A table as plain data: complete, equal on every machine, refused if it is malformed."""

import contextlib
import copy
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taflhall_engine.kernel import snapshot
from taflhall_engine.kernel.agenda import Answered, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.snapshot import (
    SnapshotError,
    SnapshotTooNew,
    canonical,
    digest,
    dump,
    dump_table,
    load,
    load_table,
)
from tests.engine.toy import QUAY, Setup, rules

STRANGE = st.sampled_from([None, -3, 0, 7, 300, 0.5, "", "x", [], {}, {"Bid": [1]}, [[1]]])


def some_table(plies=5, seed=3):
    s = QUAY.new(Setup(3, 5), FastChance(seed))
    rollout(s, FastChance(seed), plies)
    return s


def load_quay(data):
    return load_table(QUAY, data, FastChance(1))


@given(st.integers(0, 40), st.integers(0, 10**6))
def test_dumped_and_loaded_it_is_the_same_table(plies, seed):
    s = some_table(plies, seed)
    data = json.loads(json.dumps(dump_table(QUAY, s)))
    back = load_table(QUAY, data, s.chance.copy())
    assert dump_table(QUAY, back) == dump_table(QUAY, s)
    assert [options(back, seat) for seat in range(3)] == [options(s, seat) for seat in range(3)]
    assert rollout(back, FastChance(1), 500) == rollout(s, FastChance(1), 500)
    assert digest(QUAY, back) == digest(QUAY, s)


def test_a_snapshot_reads_like_the_table():
    data = dump_table(QUAY, some_table(0))
    assert list(data) == ["schema", "game", "version", "table"]
    assert (data["schema"], data["game"], data["version"]) == (1, "quay", "1")
    assert data["table"]["agenda"][-1] == {"SealedBids": [7]}
    assert data["table"]["round"] == 1


def test_a_snapshot_has_the_fields_of_its_kind_of_table_in_their_order():
    class Heap:  # a kind that no snapshot was ever taken of
        def __init__(self, components: Any, chance: Any, stones: int, agenda: list[Any]) -> None:
            self.components = components
            self.chance = chance
            self.stones = stones
            self.agenda = agenda

    heap: Any = Heap(object(), object(), 3, [])
    plain = {"stones": 3, "agenda": []}
    snapshot = dump_table(QUAY, heap)
    assert list(snapshot["table"].items()) == list(plain.items())
    assert hashlib.sha256(canonical(snapshot)).hexdigest() == digest(QUAY, heap)


def test_luck_box_and_listeners_stay_out_of_it():
    s = some_table()
    s.journal = []
    data = dump_table(QUAY, s)
    assert not {"components", "chance", "journal", "legal"} & set(data["table"])
    back = load_quay(data)
    assert back.journal is None
    assert back.legal is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4),
    )
)
def test_plain_data_are_themselves(value):
    assert load(json.loads(json.dumps(dump(value))), {}) == value


def test_objects_are_named_by_their_class():
    assert dump([rules.Bid(3), rules.Keep()]) == [{"Bid": [3]}, {"Keep": []}]
    assert load([{"Bid": [3]}, {"Keep": []}], QUAY.types) == [rules.Bid(3), rules.Keep()]
    event = Answered("Q-2.2", 1, rules.Bid(3), False, True)
    assert dump(event) == {"Answered": ["Q-2.2", 1, {"Bid": [3]}, False, True]}
    assert load(dump(event), QUAY.types) == event


def test_canonical_bytes_do_not_depend_on_the_order_of_keys():
    assert canonical({"b": [1, "é"], "a": None}) == canonical({"a": None, "b": [1, "é"]})
    assert canonical({"b": [1, "é"], "a": None}) == b'{"a":null,"b":[1,"\\u00e9"]}'


def test_different_tables_have_different_digests():
    digests = {digest(QUAY, some_table(plies)) for plies in range(15)}
    assert len(digests) == 15


# ---------------------------------------------------------------- malformed data


def test_a_newer_schema_is_refused():
    data = dump_table(QUAY, some_table()) | {"schema": snapshot.SCHEMA + 1}
    with pytest.raises(SnapshotTooNew, match=r"schema 2 is newer than 1"):
        load_quay(data)


def test_other_rules_are_refused():
    with pytest.raises(SnapshotTooNew, match="rules '2' are not '1'"):
        load_quay(dump_table(QUAY, some_table()) | {"version": "2"})


def test_a_table_of_another_game_is_refused():
    with pytest.raises(SnapshotError, match="a table of 'chess', not of 'quay'"):
        load_quay(dump_table(QUAY, some_table()) | {"game": "chess"})


def test_an_older_schema_is_migrated_step_by_step(monkeypatch):
    data = dump_table(QUAY, some_table())
    old = {"schema": -1, "game": "quay", "version": "1", "contents": data["table"]}

    def first(found):
        return {**found, "schema": 0, "inner": found["contents"]}

    def second(found):
        return {k: found[k] for k in ("game", "version")} | {"schema": 1, "table": found["inner"]}

    with pytest.raises(SnapshotError, match="schema -1 is no longer read"):
        load_quay(old)
    monkeypatch.setitem(snapshot.MIGRATIONS, -1, first)
    monkeypatch.setitem(snapshot.MIGRATIONS, 0, second)
    assert dump_table(QUAY, load_quay(old)) == data


@pytest.mark.parametrize("data", [None, 3, "x", [], {}, {"schema": "1"}, {"schema": None}])
def test_a_snapshot_without_a_schema_number_is_refused(data):
    with pytest.raises(SnapshotError, match="schema number is missing"):
        load_quay(data)


@pytest.mark.parametrize("key", ["schema", "game", "version", "table"])
def test_a_snapshot_without_a_part_is_refused(key):
    data = dump_table(QUAY, some_table())
    del data[key]
    with pytest.raises(SnapshotError):
        load_quay(data)


@pytest.mark.parametrize("field", list(dump_table(QUAY, some_table())["table"]))
def test_a_snapshot_without_a_field_is_refused(field):
    data = dump_table(QUAY, some_table())
    del data["table"][field]
    with pytest.raises(SnapshotError, match="not a table of quay"):
        load_quay(data)


@pytest.mark.parametrize(
    ("agenda", "message"),
    [
        ([{"Explode": []}], "no class 'Explode'"),
        ([{"SealedBids": []}], "not understood"),
        ([{"SealedBids": [1, 2]}], "not understood"),
        ([{"SealedBids": 7}], "not understood"),
        ([{"SealedBids": [7], "Round": []}], "not understood"),
        ([{}], "not understood"),
        ([{"Bid": [1]}], "not a step|not a table"),
        ([3], "not a step|not a table"),
        ([1.5], "not understood"),
        ("Round", "not a step|not a table"),
        (None, "not a table"),
    ],
)
def test_an_agenda_that_is_none_is_refused(agenda, message):
    data = dump_table(QUAY, some_table())
    data["table"]["agenda"] = agenda
    with pytest.raises(SnapshotError, match=message):
        load_quay(data)


def test_what_is_not_understood_is_shown_in_part():
    with pytest.raises(SnapshotError) as error:
        load({"x" * 100: 1, "y": 2}, QUAY.types)
    assert str(error.value) == "not understood: {'" + "x" * 78


def test_only_classes_of_the_game_can_be_named():
    for name in ("Popen", "Path", "FastChance", "Components", "View", "QuayGame"):
        with pytest.raises(SnapshotError, match="no class"):
            load([{name: []}], QUAY.types)


@given(st.data())
def test_a_tampered_snapshot_is_a_typed_error_or_a_table(data):
    """Damaged data raises :exc:`SnapshotError` and nothing else."""
    found = copy.deepcopy(dump_table(QUAY, some_table()))
    place, key = data.draw(st.sampled_from(list(places(found))))
    place[key] = data.draw(STRANGE)
    with contextlib.suppress(SnapshotError):
        load_quay(found)


@given(st.integers(0, 400))
def test_a_truncated_snapshot_is_no_snapshot(length):
    text = json.dumps(dump_table(QUAY, some_table()))
    with pytest.raises(json.JSONDecodeError):
        json.loads(text[: min(length, len(text) - 1)])


def places(data):
    """Every container of *data* with each of its keys or indices."""
    keys = list(data) if isinstance(data, dict) else range(len(data))
    for key in keys:
        yield data, key
        if isinstance(data[key], dict | list):
            yield from places(data[key])
