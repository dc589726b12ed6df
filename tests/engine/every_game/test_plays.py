"""Matches that Hypothesis chooses: a broken law comes with the shortest play that breaks it."""

import json

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from taflhall_engine.kernel.agenda import apply, asked, options, refusal
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.notation import write
from taflhall_engine.kernel.snapshot import dump_table, load_table
from tests import exploring
from tests.engine.every_game import setups, walk
from tests.engine.every_game.strange import met

PLIES = 30

few = settings(
    max_examples=1000 if exploring.NUMBER else 8,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def play(game, trial, data):
    """Lay a match out and play some of it, as *data* chooses."""
    seed = data.draw(st.integers(0, 999), "seed")
    number = data.draw(st.integers(0, len(trial.usual)), "setup")
    fields = trial.usual[number] if number < len(trial.usual) else trial.other(FastChance(seed))
    note(f"setup {fields}")
    s = game.new(game.setup_kind(**fields), KeyedChance(walk.secret(seed)))
    for _ in range(data.draw(st.integers(0, PLIES), "plies")):
        if not s.agenda:
            break
        seat = data.draw(st.sampled_from(asked(s)), "seat")
        command = data.draw(st.sampled_from(options(s, seat)), "command")
        note(f"seat {seat}: {write(command, game.labels)}")
        apply(s, seat, command)
    return s


@few
@given(data=st.data())
def test_any_play_leaves_a_sound_table(name, data):
    game, trial = setups.game(name), setups.trial(name)
    s = play(game, trial, data)
    assert game.faults(s) == []
    text = json.dumps(dump_table(game, s))
    back = load_table(game, json.loads(text), s.chance.copy())
    assert json.dumps(dump_table(game, back)) == text
    for viewer in [*range(game.seats(s)), -1]:
        view = game.view(s, viewer)
        assert game.view(game.imagine(view, FastChance(1)), viewer) == view


@few
@given(data=st.data())
def test_no_command_upsets_a_table(name, data):
    """A command comes from outside, and its numbers may be anything."""
    game, trial = setups.game(name), setups.trial(name)
    s = play(game, trial, data)
    before = dump_table(game, s)
    for seat in asked(s):
        listed = options(s, seat)
        for _ in range(5):
            kind = type(data.draw(st.sampled_from(met(name)), "like"))
            like = next(c for c in met(name) if type(c) is kind)
            command = kind(*[data.draw(anything_like(value)) for value in like.fields()])
            assert (refusal(s, seat, command) is None) == (command in listed), command
    assert dump_table(game, s) == before


def anything_like(value):
    """Values of the type of *value*."""
    numbers = st.integers(-2, 20) | st.sampled_from([-(2**31), 255, 256, 2**31 - 1])
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, list):
        return st.lists(numbers, max_size=5)
    return numbers
