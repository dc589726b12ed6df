"""The golden records are played again, ply by ply, as they were written."""

import pytest

from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import check
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.vocabulary import commands_of
from tests.engine.every_game import setups as trials
from tests.engine.golden.record import FOLDER, events_after, read, records, short, write

PATHS = sorted(FOLDER.rglob("*.txt"))


@pytest.mark.parametrize("name", trials.NAMES)
def test_every_game_has_golden_records(name):
    missing = [path.name for path, _, _ in records(name) if not path.exists()]
    assert not missing, f"`make golden ARGS={name}`"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_record_is_played_again(path):
    golden = read(path)
    game = trials.game(golden.game)
    assert (game.version, game.data_digest) == (golden.version, golden.data), "run `make golden`"
    s = game.new(setups.from_data(game, golden.setup), KeyedChance(bytes.fromhex(golden.secret)))
    assert short(game, s) == golden.start
    kinds = commands_of(game.types)
    for ply in golden.plies:
        place = f"{path.name} line {ply.line}: seat {ply.seat} {ply.command}"
        command = notation.read(ply.command, kinds, game.labels)
        check(s, ply.seat, command)
        assert events_after(game, s, ply.seat, command) == ply.events, place
        assert short(game, s) == ply.digest, place
    assert repr(game.result(s)) == golden.result


def test_a_record_is_read_as_it_was_written(tmp_path):
    text = write(trials.game("quay"), {"seats": 2, "rounds": 2}, 5)
    (tmp_path / "1.txt").write_text(text, "utf-8")
    golden = read(tmp_path / "1.txt")
    assert golden.setup == {"seats": 2, "rounds": 2}
    assert len(golden.plies) > 4
    assert all(ply.events and len(ply.digest) == 16 for ply in golden.plies)
    (tmp_path / "1.txt").write_text(text.replace("coins=1", "coins=0"), "utf-8")
    with pytest.raises(AssertionError, match="line"):
        test_a_golden_record_is_played_again(tmp_path / "1.txt")
