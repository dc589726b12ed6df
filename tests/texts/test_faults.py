"""What is wrong with a setup is said in words, for every fault that a game can find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from taflhall_engine.kernel import setups
from taflhall_engine.kernel.chance import Chance, FastChance
from taflhall_engine.kernel.game import Fault, Game, InvalidSetup
from taflhall_engine.kernel.texts import KERNEL, read_texts
from taflhall_engine.kernel.value import field_names
from taflhall_engine.registry import GAMES
from taflhall_service.app.model.clocks import TimeControl, time_control_faults
from taflhall_wire.texts import Texts
from tests.engine.every_game.setups import game as game_of
from tests.texts.test_matches import LANGUAGES, RAW

TRIED = 8000


@pytest.mark.parametrize("name", ["quay", *GAMES])
def test_every_fault_has_a_text_and_every_text_of_a_fault_a_fault(name: str) -> None:
    game = game_of(name)
    found = {(fault.field, fault.code): fault for fault in faults(game)}
    assert_written(game, list(found.values()))
    keys = {key for field, code in found for key in (f"fault.{field}.{code}", f"fault.{field}")}
    package = "quay" if name == "quay" else f"taflhall_engine.{name}"
    written = {key for key in read_texts(package).patterns if key.startswith("fault.")}
    assert written <= keys


def test_faults_that_all_games_share_have_texts() -> None:
    game = game_of("yggdrasil")
    texts = ["seats", "seats=x", "seats=1", "seats=2", "colour=red", "spread_evenly=perhaps"]
    with pytest.raises(InvalidSetup) as malformed:
        setups.from_text(game, texts[:1] + texts[2:4])
    with pytest.raises(InvalidSetup) as unknown:
        setups.from_text(game, texts[1:2] + texts[4:])
    clocks = time_control_faults(TimeControl(0, -1, -1))
    found = [*malformed.value.faults, *unknown.value.faults, *clocks]
    found += [Fault("setup", "wrong_type", "list expected"), Fault("bag_inspection", "unknown")]
    assert_written(game, found)
    keys = {key for fault in found for key in (f"fault.{fault.field}", f"fault.{fault.code}")}
    assert {key for key in read_texts(KERNEL).patterns if key.startswith("fault.")} <= keys


def assert_written(game: Game, found: list[Fault]) -> None:
    for tag in LANGUAGES:
        texts = Texts(game, tag, strict=True)
        for fault in found:
            bare = Fault(fault.field, fault.code)
            text = texts.fault(bare)
            assert not RAW.search(text), text
            assert text != fault.code.replace("_", " "), fault
            assert fault.found in texts.fault(fault)


def faults(game: Game) -> Iterator[Fault]:
    """Yield the faults of many setups with one or two fields that may be wrong."""
    chance = FastChance(1)
    for _ in range(TRIED):
        fields = [field for field in field_names(game.setup_kind) if chance.below(3) == 0]
        setup = game.setup_kind(**{field: strange(game, field, chance) for field in fields})
        try:
            game.new(setup, FastChance(1))
        except InvalidSetup as error:
            yield from error.faults


def strange(game: Game, field: str, chance: Chance) -> Any:
    usual = getattr(game.setup_kind(), field)
    if isinstance(usual, bool):
        return chance.below(2) == 1
    if isinstance(usual, list):
        return [chance.below(9) - 1 for _ in range(chance.below(6))]
    return chance.below(8) - 2
