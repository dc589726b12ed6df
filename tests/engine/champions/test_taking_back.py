"""Which answers can be taken back: those that have shown nothing hidden."""

from collections import Counter

from taflhall_engine import registry
from taflhall_engine.champions.events import WarriorsSent
from taflhall_engine.champions.rules.assignment import LoadFood, SendWarriors
from taflhall_engine.champions.rules.spaces import VisitRunesmith
from taflhall_engine.kernel.agenda import Answered
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.mainline import Mainline, draws_of
from tests.engine.every_game import walk


def test_cm_5_9_a_rune_of_the_row_can_be_put_back_and_one_of_the_deck_cannot():
    tally: Counter[str] = Counter()
    for line, command, drawn, _ in played():
        if isinstance(command, VisitRunesmith):
            open_row = command.rune >= 0
            tally["row" if open_row else "deck"] += 1
            assert bool(line.undoable) == (open_row and draws_of(line.table) == drawn)
    assert min(tally["row"], tally["deck"]) >= 3, tally


def test_cm_6_5_a_finished_assignment_can_be_taken_back_until_dice_are_rolled():
    finished = 0
    for line, command, drawn, events in played():
        if isinstance(command, SendWarriors | LoadFood):
            kinds = {type(event) for event in events}
            if kinds <= {Answered, WarriorsSent}:
                assert line.undoable
                finished += 1
            assert not line.undoable or draws_of(line.table) == drawn
    assert finished >= 10


def played():
    """Yield matches after each answer: its last step, the random words before, its events."""
    game = registry.game("champions")
    for seed in range(12):
        line, rng = Mainline(game, game.setup_kind(seats=4), walk.secret(seed)), FastChance(seed)
        while line.table.agenda:
            drawn = draws_of(line.table)
            seat, given = walk.whole_answer(line.table, rng)
            events = line.push(seat, given)
            yield line, steps_of(given)[-1], drawn, events
