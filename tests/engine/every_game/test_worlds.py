"""Two worlds that differ only in what a viewer may not know look the same to it.

World A is the match; world B is imagined from the viewer's view of it. Both go on with the
same luck. Whatever the viewer can see is compared: its view, its options, why a command is
refused, the events it is told. The rules themselves make hidden facts known in time (a card is
drawn, bids are revealed, a pair is sold from a hidden hand): the game declares those events and
commands, and after the first that differs, or is possible in one world only, the worlds are no
longer the same to the viewer. Nothing else may ever differ.
"""

from collections import Counter

from taflhall_engine.kernel.agenda import IllegalCommand, apply, asked, check, options, waiting
from taflhall_engine.kernel.chance import CheapChance
from taflhall_engine.kernel.snapshot import dump_table
from tests.engine.every_game import setups, walk
from tests.engine.every_game.strange import strange_commands


def test_worlds_that_differ_only_in_what_is_hidden_look_the_same(name):
    tally: Counter[str] = Counter()

    def law(p):
        if not p.s.agenda:
            return
        viewer = p.viewers[p.luck.below(len(p.viewers))]
        luck = CheapChance(p.luck.below(1 << 30))
        imagined = p.game.imagine(p.game.view(p.s, viewer), p.luck)
        a, b = walk.again(p.game, p.s, luck), walk.again(p.game, imagined, luck.copy())
        tally["pairs"] += 1
        tally["different"] += dump_table(p.game, a) != dump_table(p.game, b)
        for _ in range(10):
            same_to_see(p, viewer, a, b)
            if not a.agenda or not step(p, viewer, a, b, tally):
                return

    walk.hold(name, law, seconds=1.4, every=4)
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
        assert told(a, viewer, command) == told(b, viewer, command)


def told(s, viewer, command):
    """Return the text with which *command* is refused."""
    try:
        check(s, viewer, command)
    except IllegalCommand as error:
        return str(error)
    return None


def step(p, viewer, a, b, tally):
    """Carry out what looks like the same command; return whether the worlds are still alike."""
    seat, command = walk.choice(a, p.luck)
    other = command
    if seat != viewer and a.agenda[-1].secret(a):
        listed = options(b, seat)
        other = listed[p.luck.below(len(listed))]
    elif command not in options(b, seat):
        assert seat != viewer
        assert type(command).__name__ in setups.trial(p.name).reveals, command
        tally["impossible"] += 1
        return False
    a.journal, b.journal = [], []
    apply(a, seat, command)
    apply(b, seat, other)
    seen = [e.seen_by(viewer) for e in a.journal], [e.seen_by(viewer) for e in b.journal]
    a.journal = b.journal = None
    tally["steps"] += 1
    return alike(p.name, [e for e in seen[0] if e], [e for e in seen[1] if e], tally)


def alike(name, seen, also, tally):
    reveals = setups.trial(name).reveals
    for one, other in zip(seen, also, strict=False):
        if one != other:
            assert type(one) is type(other) or reveals & {type(one).__name__, type(other).__name__}
            assert type(one).__name__ in reveals or type(other).__name__ in reveals, (one, other)
            tally["revealed"] += 1
            return False
    if len(seen) != len(also):
        longer = max(seen, also, key=len)
        one = longer[min(len(seen), len(also))]
        assert type(one).__name__ in reveals, one
        return False
    return True
