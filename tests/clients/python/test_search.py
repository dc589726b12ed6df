"""The searching bot, and what it knows of each game."""

from typing import Any

import pytest

from quay.game import QuayGame
from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import NoKnowledge, knowledge_of, shares, values_of
from taflhall_client.bots.random import Random
from taflhall_client.bots.search import CLOCK_EVERY, SETTLED, Found, Search
from taflhall_client.bots.search_tree import Grower, Node, find
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Result

GAMES = ["champions", "ice_garden", "yggdrasil"]


class Faithful:
    """A bot that searches a little, and whose answers are checked to be options."""

    def __init__(self, game: Any, seed: int) -> None:
        self._search = Search(game, seed, iterations=4)

    def choose(self, view: Any, decision: Decision) -> Any:
        chosen = self._search.choose(view, decision)
        assert chosen in decision.options
        return chosen


class Counting(NoKnowledge):
    """Counts the rollouts that it values."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.valued = 0

    def values(self, s: Any) -> list[float]:
        self.valued += 1
        return super().values(s)


class Valued(NoKnowledge):
    """Values the last option of every decision most, and counts how often it was asked."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.valued = 0

    def prior(self, s: Any, seat: int, legal: Any) -> list[float]:
        return [1.0] * (len(legal) - 1) + [100.0]

    def rests(self, s: Any, since: Any, plies: int) -> bool:
        return True

    def values(self, s: Any) -> list[float]:
        self.valued += 1
        return [0.5] * len(s.clans)


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
        legal, step = options(s, seats[0]), waiting(s)
        assert step is not None
        if plies % 9 == 0:
            before = game.view(s, seats[0])
            weights = knowledge.prior(s, seats[0], legal)
            assert len(weights) == len(legal)
            assert min(weights) > 0
            assert knowledge.play(s, seats[0], legal, rng) in legal
            assert game.view(s, seats[0]) == before
        if knowledge.rests(s, step, plies):
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


# ---------------------------------------------------------------- how it plays


def position(game: Any, plies: int, wanted: Any = lambda s: True) -> tuple[Any, Decision]:
    """Return a view and its decision, some random commands after the beginning of a match."""
    setup: Any = game.setup_kind(seats=2) if game.id == "yggdrasil" else game.setup_kind()
    rng = FastChance(17)
    s = game.new(setup, FastChance(11))
    for _ in range(plies):
        seat = asked(s)[0]
        legal = options(s, seat)
        apply(s, seat, legal[rng.below(len(legal))])
    while not wanted(s) or len(options(s, asked(s)[0])) == 1:
        seat = asked(s)[0]
        legal = options(s, seat)
        apply(s, seat, legal[rng.below(len(legal))])
    seat, step = asked(s)[0], waiting(s)
    assert step is not None
    return game.view(s, seat), Decision.of(seat, step, list(options(s, seat)))


@pytest.mark.parametrize("name", [*GAMES, "quay"])
def test_the_same_seed_and_iterations_give_the_same_statistics(name):
    game = QuayGame() if name == "quay" else registry.game(name)
    view, decision = position(game, 12)
    found = [Search(game, 5, iterations=12).search(view, decision) for _ in range(2)]
    assert found[0] == found[1]
    assert sum(option.visits for option in found[0]) == 12
    assert all(0 <= option.expected <= 1 for option in found[0])


@pytest.mark.parametrize("name", [*GAMES, "quay"])
def test_worlds_that_look_the_same_to_a_seat_get_the_same_answer(name):
    game = QuayGame() if name == "quay" else registry.game(name)
    view, _ = position(game, 12)
    answers = []
    for seed in range(2):
        s = game.imagine(view, FastChance(seed))
        step = waiting(s)
        assert step is not None
        decision = Decision.of(view.seat, step, list(options(s, view.seat)))
        answers.append(Search(game, 5, iterations=8).choose(game.view(s, view.seat), decision))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("seats", [2, 4])
def test_every_answer_is_an_option_in_a_game_without_knowledge(seats):
    game = QuayGame()
    for seed in range(3):
        setup = game.setup_kind(seats=seats)
        play(game, [Faithful(game, seed) for _ in range(seats)], setup, secret=bytes([seed] * 32))


@pytest.mark.parametrize("name", ["champions", "yggdrasil"])
def test_every_answer_is_an_option_in_a_whole_match(name):
    game = registry.game(name)
    bots: list[Any] = [Faithful(game, 1), Random(game, 2)]
    play(game, bots, game.setup_kind(seats=2), secret=bytes(32))


def test_it_beats_random_play_without_any_knowledge():
    game = QuayGame()
    won = 0
    for deal in range(12):
        for seat in range(2):
            bots: list[Any] = [Random(game, deal), Random(game, deal)]
            bots[seat] = Search(game, deal, iterations=60)
            end = play(game, bots, game.setup_kind(seats=2), secret=bytes([deal] * 32)).result
            won += end.places[seat] == 1
    assert won >= 18


def test_a_further_step_of_an_answer_is_taken_from_the_tree():
    game = registry.game("champions")
    view, decision = position(game, 20, begins_an_answer)
    knowledge = Valued(game)
    search = Search(game, 3, iterations=SETTLED * 8, knowledge=knowledge)
    assert search.search(view, decision)
    assert knowledge.valued == SETTLED * 8
    s = game.imagine(view, FastChance(1))
    apply(s, decision.seat, decision.options[-1])
    further = waiting(s)
    assert further is not None
    again = Decision.of(decision.seat, further, list(options(s, decision.seat)))
    found = search.search(game.view(s, decision.seat), again)
    assert knowledge.valued == SETTLED * 8
    assert sum(option.visits for option in found) >= SETTLED - 1


def begins_an_answer(s: Any) -> bool:
    """Return whether there is a choice whose last option begins an answer with several steps."""
    legal = options(s, asked(s)[0])
    t = s.copy()
    apply(t, asked(s)[0], legal[-1])
    top = waiting(t)
    return len(legal) > 1 and top is not None and top.continues_answer


def test_a_tree_is_found_again_by_the_view_alone():
    game = QuayGame()
    view, decision = first_choice(game)
    root = Node()
    grower = Grower(game, NoKnowledge(game), FastChance(1), decision.seat, 0.6, 1.5)
    for seed in range(40):
        grower.grow(root, game.imagine(view, FastChance(seed)))
    assert find(root, view) is root
    later = [node for node in root.children() if node.view is not None]
    assert all(find(root, node.view) is not root for node in later if node.view)
    other, _ = position(game, 9)
    assert find(root, other) is None


def test_several_processes_search_the_same_each_time():
    game = registry.game("champions")
    view, decision = position(game, 12)
    found = [Search(game, 5, iterations=8, processes=2).search(view, decision) for _ in range(2)]
    assert found[0] == found[1]
    assert sum(option.visits for option in found[0]) == 8


# ---------------------------------------------------------------- its usual answer


class Usual(NoKnowledge):
    """Usually gives the last option, and values a seat's coins."""

    trusted = True

    def __init__(self, game: Any, certainty: float) -> None:
        super().__init__(game)
        self.certainty = certainty

    def play(self, s: Any, seat: int, legal: Any, rng: Any) -> Any:
        return legal[-1]

    def rests(self, s: Any, since: Any, plies: int) -> bool:
        return True

    def values(self, s: Any) -> list[float]:
        return [min(player.coins, 5) / 5 for player in s.players]


def test_a_search_departs_from_the_usual_answer_only_when_it_is_certain():
    game = QuayGame()
    view, decision = first_choice(game)
    answers = [
        Search(game, 1, iterations=100, knowledge=Usual(game, certainty)).choose(view, decision)
        for certainty in (0.0, 1.0, 1000.0)
    ]
    usual = decision.options[-1]
    assert answers[0] != usual
    assert answers[1] != usual
    assert answers[2] == usual


def test_a_lead_is_counted_in_standard_errors():
    rare, often = Found("a", 4, 0.7), Found("a", 400, 0.7)  # type: ignore[arg-type]
    other = Found("b", 400, 0.5)  # type: ignore[arg-type]
    assert 0 < rare.lead(other) < 1
    assert often.lead(other) > 5
    assert other.lead(often) == -often.lead(other)
    assert Found("a", 1, 1.0).lead(Found("b", 1, 0.0)) < 2  # type: ignore[arg-type]
    assert Found("a", 0, 0.0).lead(other) == 0  # type: ignore[arg-type]
