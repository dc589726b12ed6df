"""What single rules answer at their limits."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine import registry
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.rules.battle import SEND_VIKINGS, BattleVikings, SendVikings
from taflhall_engine.yggdrasil.rules.midgard import has_tokens
from taflhall_engine.yggdrasil.rules.turn import CHOOSE_CARD, EndOfTurn, OdinChoice
from tests.engine.every_game import setups

GAME = registry.game("yggdrasil")


@pytest.fixture
def s() -> Any:
    return GAME.new(GAME.setup_kind(**setups.trial("yggdrasil").usual[0]), FastChance(1))


def test_8_2_any_number_of_the_vikings_may_be_sent(s):
    for held in (0, 1, len(SEND_VIKINGS), len(SEND_VIKINGS) + 1):
        s.vikings[0] = held
        expected = [SendVikings(vikings) for vikings in range(held + 1)]
        assert BattleVikings(0, 0).offers(s, 0) == expected


@pytest.mark.parametrize(
    ("vikings", "giants", "holds"), [(0, 0, False), (1, 0, True), (0, 1, True), (2, 1, True)]
)
def test_a_bag_with_a_single_token_is_not_empty(s, vikings, giants, holds):
    s.bag_vikings[0], s.bag_giants[0] = vikings, giants
    assert has_tokens(s, 0) == holds


def test_4_2_between_two_equal_cards_the_first_is_the_only_choice(s):
    assert OdinChoice(0, 3, 3).offers(s, 0) == [CHOOSE_CARD[0]]
    assert OdinChoice(0, 3, 4).offers(s, 0) == [CHOOSE_CARD[0], CHOOSE_CARD[1]]


def test_11_4_a_match_that_continues_has_not_ended(s):
    s.journal = []
    EndOfTurn(0).run(s)
    assert [type(event).__name__ for event in s.journal] == ["TurnEnded"]
