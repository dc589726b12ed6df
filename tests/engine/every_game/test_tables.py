"""A table can be stored, copied and asked without anything changing."""

import json

import pytest

from taflhall_engine.kernel.agenda import IllegalCommand, apply, asked, check, options, refusal
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.snapshot import digest, dump_table, load_table
from tests.engine.every_game import walk
from tests.engine.every_game.strange import strange_commands


def test_a_snapshot_holds_the_whole_table(name):
    def law(p):
        data = dump_table(p.game, p.s)
        back = load_table(p.game, json.loads(json.dumps(data)), p.s.chance.copy())
        assert dump_table(p.game, back) == data
        assert asked(back) == asked(p.s)
        for seat in asked(p.s):
            assert options(back, seat) == options(p.s, seat)
        assert p.game.faults(back) == []

    walk.hold(name, law)


def test_a_stored_match_goes_on_as_it_would_have(name):
    def law(p):
        back = load_table(p.game, dump_table(p.game, p.s), p.s.chance.copy())
        twin = p.s.copy()
        assert walk.play_on(back, p.rng.copy(), 12) == walk.play_on(twin, p.rng.copy(), 12)
        assert digest(p.game, back) == digest(p.game, twin)

    walk.hold(name, law, rounds=2, every=7)


def test_a_copy_is_deep(name):
    def law(p):
        before = dump_table(p.game, p.s)
        rng = p.s.chance.copy().below(1 << 30)
        twin = p.s.copy()
        assert type(twin) is type(p.s)
        assert dump_table(p.game, twin) == before
        assert [options(twin, seat) for seat in asked(twin)] == [
            options(p.s, seat) for seat in asked(p.s)
        ]
        twin.journal = []
        walk.play_on(twin, p.rng, 25)
        assert dump_table(p.game, p.s) == before
        assert p.s.chance.copy().below(1 << 30) == rng
        assert p.s.journal is None

    walk.hold(name, law, rounds=2, every=5)


def test_the_original_may_go_on_without_its_copy(name):
    def law(p):
        twin = p.s.copy()
        before = dump_table(p.game, twin)
        walk.play_on(p.s.copy(), p.rng, 25)
        original = p.s.copy()
        walk.play_on(original, p.rng, 25)
        assert dump_table(p.game, twin) == before

    walk.hold(name, law, every=9)


def test_asking_changes_nothing(name):
    def law(p):
        before = dump_table(p.game, p.s)
        rng = p.s.chance.copy().below(1 << 30)
        for viewer in p.viewers:
            listed = options(p.s, viewer)
            view = p.game.view(p.s, viewer)
            p.game.imagine(view, FastChance(p.seed))
            for command in strange_commands(p, listed, 6):
                refusal(p.s, viewer, command)
        for seat in asked(p.s):
            p.game.neutral(p.s, seat)
        p.game.result(p.s)
        p.game.faults(p.s)
        assert dump_table(p.game, p.s) == before
        assert p.s.chance.copy().below(1 << 30) == rng
        assert p.s.journal is None

    walk.hold(name, law, every=6)


def test_a_view_shares_nothing_with_the_table(name):
    """A view taken before a command is still the same after it."""

    def law(p):
        twin = p.s.copy()
        views = [(viewer, p.game.view(twin, viewer)) for viewer in p.viewers]
        texts = [repr(view) for _, view in views]
        walk.play_on(twin, p.rng, 6)
        assert [repr(view) for _, view in views] == texts

    walk.hold(name, law, every=7)


def test_a_refused_command_changes_nothing(name):
    def law(p):
        before = dump_table(p.game, p.s)
        refused = 0
        for seat in p.viewers:
            for command in strange_commands(p, options(p.s, seat), 8):
                if refusal(p.s, seat, command) is None:
                    continue
                refused += 1
                with pytest.raises(IllegalCommand):
                    check(p.s, seat, command)
        assert refused or not p.s.agenda
        assert dump_table(p.game, p.s) == before

    walk.hold(name, law, rounds=2, every=6)


def test_what_is_told_does_not_change_what_happens(name):
    def law(p):
        if not p.s.agenda:
            return
        seat, command = walk.choice(p.s, p.rng)
        heard, silent = p.s.copy(), p.s.copy()
        heard.journal = []
        apply(heard, seat, command)
        apply(silent, seat, command)
        assert heard.journal
        assert digest(p.game, heard) == digest(p.game, silent)

    walk.hold(name, law, every=4)
