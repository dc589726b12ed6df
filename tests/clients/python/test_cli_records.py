"""``taflhall verify`` and ``taflhall record import``: true records and others."""

import json

import pytest

from taflhall_client.bots.random import Random
from taflhall_client.cli.records import to_text
from taflhall_client.local import play
from taflhall_engine import registry
from tests.engine.toy import FOLDER, QUAY, Setup


@pytest.fixture(scope="module")
def record():
    bots = [Random(QUAY, seed) for seed in range(3)]
    return play(QUAY, bots, Setup(), secret=bytes(range(32))).record(["Ann", "Bob", "Čid"])


@pytest.fixture
def written(tmp_path):
    def write(record):
        path = tmp_path / "record.json"
        text = record if isinstance(record, str) else to_text(record)
        path.write_text(text, "utf-8")
        return path

    return write


def test_a_true_record_is_verified(taflhall, quay, record, written):
    ran = taflhall("verify", written(record))
    assert ran.status == 0
    assert sum(line.startswith("checked: ") for line in ran.lines) == 5
    assert ran.lines[-1].startswith(f"verified: Quay, {len(record['commands'])} commands, won by")


def test_the_text_of_a_record_holds_the_record(record):
    assert json.loads(to_text(record)) == record
    assert to_text(record).count("\n") > 2 * len(record["commands"])


def test_an_import_shows_the_table_and_the_result(taflhall, quay, record, written):
    ran = taflhall("record", "import", written(record), "--language", "de")
    assert ran.status == 0
    assert "Kai" in ran.out
    assert "seat 2: Čid" in ran.out
    assert "gewinnt (Rang 1" in ran.out
    assert ran.lines[-1] == f"{len(record['commands'])} commands, all as recorded"


def test_the_first_ply_that_differs_is_named(taflhall, quay, record, written):
    digests = ["0" * 64 if i == 4 else digest for i, digest in enumerate(record["digests"])]
    path = written({**record, "digests": digests})
    ran = taflhall("verify", path)
    assert ran.status == 1
    assert ran.out.startswith("differs: ply 5: ")
    assert "verified" not in ran.out
    imported = taflhall("record", "import", path)
    assert imported.status == 1
    assert "ply 5" in imported.err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": 2}, "newer"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"rules_version": "99"}, "rules '99'"),
        ({"data_digest": "0" * 64}, "--data"),
        ({"secret": "no"}, "hexadecimal"),
        ({"seats": 3}, "seats should be a list"),
        ({"commands": [[0]]}, "1 commands, but"),
    ],
)
def test_a_record_that_cannot_be_checked_is_reported(taflhall, quay, record, written, change, says):
    ran = taflhall("verify", written({**record, **change}))
    assert ran.status == 1
    assert ran.out.startswith("cannot be checked: ")
    assert says in ran.out


@pytest.mark.parametrize("cut", [0, 1, 50, 500, -5])
def test_a_truncated_record_is_reported(taflhall, quay, record, written, cut):
    ran = taflhall("verify", written(to_text(record)[:cut]))
    assert ran.status == 1
    assert "truncated" in ran.out


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN", "9" * 5_000, '"x"', "{}", "null"])
def test_json_that_is_not_a_record_is_reported(taflhall, quay, written, text):
    ran = taflhall("verify", written(text))
    assert ran.status == 1
    assert ran.out.startswith("cannot be checked: ")


def test_a_match_with_other_data_is_verified_with_them(taflhall, quay, written, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    own = (FOLDER / "quay/data/components.toml").read_text("utf-8")
    (data / "components.toml").write_text(own.replace("price = 4", "price = 5"), "utf-8")
    game = registry.game("quay", data)
    assert game.data_digest != QUAY.data_digest
    bots = [Random(game, seed) for seed in range(3)]
    path = written(play(game, bots, Setup(), secret=bytes(32)).record(["a", "b", "c"]))
    assert "--data" in taflhall("verify", path).out
    ran = taflhall("verify", path, "--data", data)
    assert ran.status == 0
    assert ran.lines[-1].startswith("verified: ")
