"""Laws that hold for every game, at every decision of random matches.

::

    TRIAL = Trial(MyGame(), usual=[{"seats": 2}, {"seats": 4}])

    @pytest.mark.parametrize("law", LAWS, ids=str)
    def test_law(law):
        law.hold(TRIAL)

A law is a function of a :class:`~taflhall_testing.trials.Position`; it raises ``AssertionError``
where it is broken, and :meth:`Law.hold` adds setup, seed and ply.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from taflhall_engine.kernel.agenda import (
    GAME_OVER,
    MAX_OPTIONS,
    NOT_YOUR_DECISION,
    IllegalCommand,
    Refusal,
    Waiting,
    apply,
    asked,
    check,
    options,
    refusal,
)
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.snapshot import digest, dump_table, load_table
from taflhall_engine.kernel.value import Value
from taflhall_testing.strange import strange_commands
from taflhall_testing.trials import Position, Trial, choice, hold, play_on, some


@dataclass(frozen=True, slots=True)
class Law:
    """A law, and how often it is checked: laws that cost much are checked less often."""

    check: Callable[[Position], None]
    rounds: int = 1
    """How many times the trial's number of matches."""
    every: int = 1
    """At every how many decisions of a match."""

    def __str__(self) -> str:
        return self.check.__name__

    def __call__(self, position: Position) -> None:
        """Check the law at one position."""
        self.check(position)

    def hold(self, trial: Trial, *, effort: int = 1, first: int = 0) -> int:
        """Check the law in *effort* times as many matches as usual; return how often."""
        rounds = self.rounds * effort
        return hold(trial, self.check, rounds=rounds, every=self.every, first=first)


def _law(*, rounds: int = 1, every: int = 1) -> Callable[[Callable[[Position], None]], Law]:
    def make(check: Callable[[Position], None]) -> Law:
        found = Law(check, rounds, every)
        LAWS.append(found)
        return found

    return make


LAWS: Final[list[Law]] = []
"""Every law of this module."""


@_law(rounds=7)
def options_are_the_offers_that_nothing_refuses(p: Position) -> None:
    """An option is an offer that nothing refuses."""
    top = p.top
    for seat in asked(p.s):
        listed = options(p.s, seat)
        offers = top.offers(p.s, seat)
        assert listed == [c for c in offers if top.refusal(p.s, seat, c) is None]
        assert listed == top.options(p.s, seat)


@_law(rounds=7)
def every_decision_lists_between_one_and_256_different_options(p: Position) -> None:
    """A decision lists between one and 256 options, each once."""
    for seat in asked(p.s):
        listed = options(p.s, seat)
        assert 1 <= len(listed) <= MAX_OPTIONS
        assert len(set(listed)) == len(listed)


@_law(rounds=3, every=2)
def a_command_is_refused_unless_it_is_an_option(p: Position) -> None:
    """Options are accepted, everything else is refused."""
    for seat in asked(p.s):
        listed = options(p.s, seat)
        for command in [*some(listed, 6, p.rng), *strange_commands(p, listed, 12)]:
            reason = refusal(p.s, seat, command)
            assert (reason is None) == (command in listed), (seat, command, reason)


@_law(rounds=3, every=5)
def a_refusal_names_a_rule_and_a_code(p: Position) -> None:
    """A refusal has a stable code, and the rule it names is in the rulebook."""
    for seat in asked(p.s):
        for command in strange_commands(p, options(p.s, seat), 10):
            reason = refusal(p.s, seat, command)
            if reason is None:
                continue
            assert isinstance(reason, Refusal)
            assert reason.code
            assert reason.code == snake(reason.code)
            if reason.rule:
                assert reason.rule in p.game.rulebook.rules, reason


@_law(rounds=2, every=5)
def only_the_seat_that_is_asked_may_answer(p: Position) -> None:
    """Other seats have no options and are refused."""
    for seat in [*p.viewers, 99, -7]:
        if seat in asked(p.s):
            continue
        assert options(p.s, seat) == []
        for command in strange_commands(p, [], 2):
            expected = NOT_YOUR_DECISION if p.s.agenda else GAME_OVER
            assert refusal(p.s, seat, command) == expected


@_law()
def a_snapshot_holds_the_whole_table(p: Position) -> None:
    """A table that is stored and read back is the same."""
    data = dump_table(p.game, p.s)
    back = load_table(p.game, json.loads(json.dumps(data)), p.s.chance.copy())
    assert dump_table(p.game, back) == data
    assert asked(back) == asked(p.s)
    for seat in asked(p.s):
        assert options(back, seat) == options(p.s, seat)
    assert p.game.faults(back) == []


@_law(rounds=2, every=7)
def a_stored_match_continues_as_it_would_have(p: Position) -> None:
    """A match that is read back continues as if it had not been stored."""
    back = load_table(p.game, dump_table(p.game, p.s), p.s.chance.copy())
    twin = p.s.copy()
    assert play_on(back, p.rng.copy(), 12) == play_on(twin, p.rng.copy(), 12)
    assert digest(p.game, back) == digest(p.game, twin)


@_law(rounds=2, every=5)
def a_copy_is_deep(p: Position) -> None:
    """Playing a copy changes nothing of the original."""
    before = dump_table(p.game, p.s)
    rng = p.s.chance.copy().below(1 << 30)
    twin = p.s.copy()
    assert type(twin) is type(p.s)
    assert dump_table(p.game, twin) == before
    assert [options(twin, seat) for seat in asked(twin)] == [
        options(p.s, seat) for seat in asked(p.s)
    ]
    twin.journal = []
    play_on(twin, p.rng, 25)
    assert dump_table(p.game, p.s) == before
    assert p.s.chance.copy().below(1 << 30) == rng
    assert p.s.journal is None


@_law(every=9)
def the_original_may_continue_without_its_copy(p: Position) -> None:
    """Playing the original changes nothing of a copy."""
    twin = p.s.copy()
    before = dump_table(p.game, twin)
    play_on(p.s.copy(), p.rng, 25)
    original = p.s.copy()
    play_on(original, p.rng, 25)
    assert dump_table(p.game, twin) == before


@_law(every=6)
def asking_changes_nothing(p: Position) -> None:
    """Options, refusals, views, results and imagined tables leave the table as it is."""
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


@_law(every=7)
def a_view_stays_as_it_was(p: Position) -> None:
    """A view that was taken before a command is the same after it."""
    twin = p.s.copy()
    views = [(viewer, p.game.view(twin, viewer)) for viewer in p.viewers]
    texts = [repr(view) for _, view in views]
    play_on(twin, p.rng, 6)
    assert [repr(view) for _, view in views] == texts


@_law(rounds=2, every=6)
def a_refused_command_changes_nothing(p: Position) -> None:
    """A refused command changes nothing."""
    before = dump_table(p.game, p.s)
    refused = 0
    for seat in p.viewers:
        for command in strange_commands(p, options(p.s, seat), 8):
            if refusal(p.s, seat, command) is None:
                continue
            refused += 1
            assert _is_illegal(p, seat, command)
    assert refused or not p.s.agenda
    assert dump_table(p.game, p.s) == before


@_law(every=4)
def listening_changes_nothing(p: Position) -> None:
    """A match goes the same way whether its events are recorded or not."""
    if not p.s.agenda:
        return
    seat, command = choice(p.s, p.rng)
    heard, silent = p.s.copy(), p.s.copy()
    heard.journal = []
    apply(heard, seat, command)
    apply(silent, seat, command)
    assert heard.journal
    assert digest(p.game, heard) == digest(p.game, silent)


@_law(every=3)
def an_imagined_table_looks_the_same(p: Position) -> None:
    """A table that is imagined from a view has that view and the same options."""
    for viewer in p.viewers:
        view = p.game.view(p.s, viewer)
        assert view.seat == viewer
        imagined = p.game.imagine(view, p.rng.copy())
        assert p.game.view(imagined, viewer) == view
        assert asked(imagined) == asked(p.s)
        if viewer in asked(p.s):
            assert options(imagined, viewer) == options(p.s, viewer)


@_law(every=11)
def the_same_chance_imagines_the_same_table(p: Position) -> None:
    """Imagining depends on the view and the chance only."""
    for viewer in p.viewers:
        view = p.game.view(p.s, viewer)
        one, other = (p.game.imagine(view, FastChance(p.ply)) for _ in range(2))
        assert dump_table(p.game, one) == dump_table(p.game, other)


@_law(every=6)
def a_view_holds_numbers_texts_lists_and_values_only(p: Position) -> None:
    """A view holds numbers, texts, lists and values."""
    for viewer in p.viewers:
        view = p.game.view(p.s, viewer)
        assert type(view.public).__name__ == "PublicView"
        assert type(view.private).__name__ == "PrivateView"
        assert plain(view.public) == []
        assert plain(view.private) == []
        assert view.public == p.game.view(p.s, -1).public


@_law(rounds=2, every=6)
def the_agenda_is_public(p: Position) -> None:
    """What the rules still have to do is public."""
    public: Any = p.game.view(p.s, -1).public
    assert public.agenda == p.s.agenda
    assert not p.s.agenda or isinstance(p.s.agenda[-1], Waiting)


@_law(rounds=10)
def every_match_ends_and_no_invariant_is_ever_broken(p: Position) -> None:
    """No invariant is ever broken, and only a match that is over has a result."""
    assert p.game.faults(p.s) == []
    if p.s.agenda:
        assert not p.game.over(p.s)
        assert p.game.result(p.s) is None
        assert asked(p.s)
        return
    assert p.game.over(p.s)
    result = p.game.result(p.s)
    assert result is not None
    seats = p.game.seats(p.s)
    assert len(result.won) == len(result.places) == seats
    assert len(result.scores) in (0, seats)
    assert result.reasons
    assert all(1 <= place <= max(2, seats) for place in result.places)
    if p.game.cooperative:
        assert len(set(result.won)) == len(set(result.places)) == 1
    elif seats > 1:
        assert min(result.places) == 1


@_law(rounds=4)
def the_neutral_answer_is_legal(p: Position) -> None:
    """The answer for an absent seat is one of its options."""
    for seat in asked(p.s):
        command = p.game.neutral(p.s, seat)
        check(p.s, seat, command)
        assert command in options(p.s, seat)


def _is_illegal(p: Position, seat: int, command: Any) -> bool:
    try:
        check(p.s, seat, command)
    except IllegalCommand:
        return True
    return False


def plain(value: Any) -> list[Any]:
    """Return what of *value* is neither number, text, list, ``None`` nor value."""
    if value is None or isinstance(value, int | str):
        return []
    if isinstance(value, list):
        return [odd for part in value for odd in plain(part)]
    if isinstance(value, Value):
        return [odd for part in value.fields() for odd in plain(part)]
    return [value]
