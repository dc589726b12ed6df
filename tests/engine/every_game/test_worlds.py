"""Two worlds that differ only in what a viewer may not know look the same to it.

World A is the match; world B is imagined from the viewer's view of it. Both go on with the
same random numbers. Whatever the viewer can see is compared: its view, its options, why a command
is refused, the events it gets. The rules themselves make hidden facts known in time (a card is
drawn, bids are revealed, a pair is sold from a hidden hand): the game declares those events and
commands, and after the first that differs, or is possible in one world only, the worlds are no
longer the same to the viewer. An answer given in several steps, of which the viewer has not seen
the first, ends the likeness too where it continues or is complete. Nothing else may ever differ:
above all, whether a seat is asked may not hang on what the others cannot see.
"""

from collections import Counter
from itertools import zip_longest
from typing import NamedTuple

from taflhall_engine.kernel.agenda import (
    Answered,
    Event,
    IllegalCommand,
    apply,
    asked,
    check,
    options,
    waiting,
)
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.snapshot import dump_table
from tests.engine.every_game import setups, walk
from tests.engine.every_game.strange import strange_commands


def test_worlds_that_differ_only_in_what_is_hidden_look_the_same(name):
    tally: Counter[str] = Counter()

    def law(p):
        if not p.s.agenda:
            return
        viewer = p.viewers[p.rng.below(len(p.viewers))]
        rng = FastChance(p.rng.below(1 << 30))
        imagined = p.game.imagine(p.game.view(p.s, viewer), p.rng)
        a, b = walk.again(p.game, p.s, rng), walk.again(p.game, imagined, rng.copy())
        tally["pairs"] += 1
        if dump_table(p.game, a) == dump_table(p.game, b):
            return
        tally["different"] += 1
        for _ in range(10):
            same_to_see(p, viewer, a, b)
            if not a.agenda or not step(p, viewer, a, b, tally):
                return

    walk.hold(name, law, rounds=2, every=4)
    assert tally["pairs"] >= 20
    if setups.trial(name).reveals:
        share = setups.trial(name).hides
        assert tally["different"] > tally["pairs"] * share, tally
        assert tally["steps"] > tally["pairs"] * share, tally


def same_to_see(p, viewer, a, b):
    assert p.game.view(a, viewer) == p.game.view(b, viewer)
    assert asked(a) == asked(b)
    assert repr(waiting(a)) == repr(waiting(b))
    assert p.game.result(a) == p.game.result(b) or not a.agenda
    listed = options(a, viewer)
    assert listed == options(b, viewer)
    for command in strange_commands(p, listed, 3):
        assert reason(a, viewer, command) == reason(b, viewer, command)


def reason(s, viewer, command):
    """Return the text with which *command* is refused."""
    try:
        check(s, viewer, command)
    except IllegalCommand as error:
        return str(error)
    return None


def step(p, viewer, a, b, tally):
    """Carry out what looks like the same command; return whether the worlds are still alike."""
    trial = setups.trial(p.name)
    seat, command = walk.choice(a, p.rng)
    other = command
    if seat != viewer and setups.hidden(trial, a, command):
        listed = [c for c in options(b, seat) if setups.hidden(trial, b, c)]
        other = listed[p.rng.below(len(listed))]
    elif command not in options(b, seat):
        assert seat != viewer
        assert type(command).__name__ in trial.reveals | trial.split, command
        tally["impossible"] += 1
        return False
    tally["steps"] += 1
    one, two = events_seen(a, seat, command, viewer), events_seen(b, seat, other, viewer)
    if not alike(trial, one, two, tally):
        return False
    may_show = bool(trial.shows & {event.name for event in one})
    return not may_show or p.game.view(a, viewer) == p.game.view(b, viewer)


class SeenEvent(NamedTuple):
    """An event, and what a viewer sees of it."""

    seen: Event
    event: Event

    @property
    def unasked(self):
        """The answer that the kernel gave, because there was no choice."""
        event = self.event
        return event.command if isinstance(event, Answered) and event.forced else None

    @property
    def name(self):
        return type(self.unasked or self.event).__name__


def events_seen(s, seat, command, viewer):
    """Carry out a command; return the events that *viewer* sees."""
    s.journal = []
    apply(s, seat, command)
    seen = [(e.seen_by(viewer), e) for e in s.journal]
    s.journal = None
    return [SeenEvent(event, origin) for event, origin in seen if event]


def alike(trial, one, two, tally):
    """Compare the events of both worlds up to where the rules reveal something in one."""
    for k, (a, b) in enumerate(zip_longest(one, two)):
        if a is None or b is None:
            longer = a or b
            known = longer.name in trial.reveals
            assert known or (longer.name in trial.split and goes_on(one[:k], longer)), longer
        elif a.seen == b.seen:
            continue
        else:
            assert trial.reveals & {a.name, b.name}, (a, b)
        tally["revealed"] += 1
        return False
    return True


def goes_on(before, event):
    """Return whether an answer whose last step the viewer has not seen continues by itself."""
    last = before[-1].seen
    hidden = isinstance(last, Answered) and last.secret and last.command is None
    return hidden and event.unasked is not None and event.seen.seat == last.seat
