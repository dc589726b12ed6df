"""The searching bot, and what it knows of each game."""

from typing import Any

import pytest

from quay.game import QuayGame
from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import NoKnowledge, knowledge_of, shares, values_of
from taflhall_client.bots.search import CLOCK_EVERY, Search
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Result

GAMES = ["champions", "ice_garden", "yggdrasil"]


class Counting(NoKnowledge):
    """Counts the rollouts that it values."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.valued = 0

    def values(self, s: Any) -> list[float]:
        self.valued += 1
        return super().values(s)


def first_choice(game: Any) -> tuple[Any, Decision]:
    s = game.new(game.setup_kind(), FastChance(3))
    seat = asked(s)[0]
    step = waiting(s)
    assert step is not None
    return game.view(s, seat), Decision.of(seat, step, list(options(s, seat)))


def test_iterations_bound_a_search():
    game = QuayGame()
    knowledge = Counting(game)
    view, decision = first_choice(game)
    chosen = Search(game, 1, iterations=17, knowledge=knowledge).choose(view, decision)
    assert chosen in decision.options
    assert knowledge.valued == 17


def test_a_time_bounds_a_search():
    game = QuayGame()
    knowledge = Counting(game)
    view, decision = first_choice(game)
    ticks = iter(range(1000))
    search = Search(game, 1, seconds=3.0, knowledge=knowledge, clock=lambda: float(next(ticks)))
    search.choose(view, decision)
    assert 2 * CLOCK_EVERY <= knowledge.valued <= 4 * CLOCK_EVERY


def test_a_game_without_knowledge_is_searched_by_its_rules_alone():
    assert isinstance(knowledge_of(QuayGame()), NoKnowledge)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_knowledge_weighs_every_option_and_values_every_table(name, seed):
    game = registry.game(name)
    knowledge = knowledge_of(game)
    assert not isinstance(knowledge, NoKnowledge)
    setup: Any = game.setup_kind(seats=3) if name == "yggdrasil" else game.setup_kind()
    s = game.new(setup, FastChance(seed))
    rng = FastChance(seed + 50)
    plies = 0
    while seats := asked(s):
        legal = options(s, seats[0])
        if plies % 9 == 0:
            before = game.view(s, seats[0])
            weights = knowledge.prior(s, seats[0], legal)
            assert len(weights) == len(legal)
            assert min(weights) > 0
            assert knowledge.play(s, seats[0], legal, rng) in legal
            assert game.view(s, seats[0]) == before
        if knowledge.rests(s, plies):
            values = knowledge.values(s)
            assert len(values) == game.seats(s)
            assert all(0 <= value <= 1 for value in values)
        apply(s, seats[0], legal[rng.below(len(legal))])
        plies += 1
    end = game.result(s)
    assert end is not None
    assert knowledge.values(s) == values_of(end, game.seats(s))


def test_an_end_is_worth_more_to_its_winner_and_the_better_places():
    values = values_of(Result([False, True, False], [3, 1, 2], [1, 9, 5], []), 3)
    assert values[1] > values[2] > values[0] == 0
    assert values_of(Result([True, True], [1, 1], [], []), 2) == [1, 1]
    assert values_of(Result([False, False], [2, 2], [], []), 2) == [0, 0]


def test_shares_of_equal_seats_are_equal_and_a_lead_counts():
    assert shares([4.0, 4.0], 3.0) == [0.5, 0.5]
    assert sum(shares([9.0, 1.0, 2.0, 2.0], 5.0)) == pytest.approx(1)
    assert shares([6.0, 3.0], 3.0)[0] == pytest.approx(0.731, abs=0.001)
