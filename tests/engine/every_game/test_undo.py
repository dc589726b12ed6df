"""What may be taken back: only what nobody has learned anything from."""

from collections import Counter

from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.drafts import check_answer, steps_of
from taflhall_engine.kernel.mainline import Mainline, draws_of, reveals_hidden
from taflhall_engine.kernel.meta_commands import undo
from taflhall_engine.kernel.snapshot import digest
from tests.engine.every_game import setups, walk
from tests.engine.every_game.test_worlds import same_to_see


def test_the_same_answers_lead_to_the_same_table(name):
    game, taken = setups.game(name), 0
    for seed in range(4):
        usual = setups.trial(name).usual
        setup = game.setup_kind(**usual[seed % len(usual)])
        line, rng = Mainline(game, setup, walk.secret(seed)), FastChance(seed)
        moves = []
        for _ in range(150):
            if not line.table.agenda:
                break
            moves.append(walk.whole_answer(line.table, rng))
            line.push(*moves[-1])
            if line.undoable and not rng.below(3):
                back = 1 + rng.below(line.undoable)
                stood = digest(game, line.table), draws_of(line.table)
                line.push(0, undo(back))
                assert draws_of(line.table) == stood[1]
                for seat, given in moves[-back:]:
                    check_answer(line.table, seat, steps_of(given))
                    line.push(seat, given)
                assert (digest(game, line.table), draws_of(line.table)) == stood
                taken += 1
    assert taken > 3


def test_whether_an_answer_can_be_undone_reveals_nothing_hidden(name):
    """In two worlds that look the same to a viewer it is the same."""
    tally: Counter[str] = Counter()

    def law(p):
        if not p.s.agenda:
            return
        viewer = p.viewers[p.rng.below(len(p.viewers))]
        imagined = p.game.imagine(p.game.view(p.s, viewer), p.rng)
        a, b = (walk.again(p.game, s, KeyedChance(walk.secret(7))) for s in (p.s, imagined))
        for _ in range(8):
            if not a.agenda or not step(p, viewer, a, b, tally):
                return

    walk.hold(name, law, every=5)
    assert tally["bound"] > 5
    if name != "quay":
        assert tally["free"] > 5


def step(p, viewer, a, b, tally):
    """Carry out what looks like the same command; return whether the worlds are still alike."""
    trial = setups.trial(p.name)
    seat, command = walk.choice(a, p.rng)
    other = command
    if seat != viewer and setups.hidden(trial, a, command):
        listed = [c for c in options(b, seat) if setups.hidden(trial, b, c)]
        other = listed[p.rng.below(len(listed))]
    elif command not in options(b, seat):
        return False
    drawn = a.chance.draws, b.chance.draws
    one, two = events_of(a, seat, command), events_of(b, seat, other)
    if seen(one, viewer) != seen(two, viewer):
        return False
    bound = [
        s.chance.draws > before or reveals_hidden(p.game, events)
        for s, before, events in ((a, drawn[0], one), (b, drawn[1], two))
    ]
    assert bound[0] == bound[1], (viewer, seat, command, other, one, two)
    tally["bound" if bound[0] else "free"] += 1
    if not bound[0]:
        assert asked(a) == asked(b)
        same_to_see(p, viewer, a, b)
    return True


def events_of(s, seat, command):
    """Carry out a command; return its events."""
    events = s.journal = []
    apply(s, seat, command)
    s.journal = None
    return events


def seen(events, viewer):
    return [known for known in [event.seen_by(viewer) for event in events] if known is not None]
