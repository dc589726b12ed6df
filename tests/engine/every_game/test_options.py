"""Legality has one source: an option is an offer that nothing refuses."""

from taflhall_engine.kernel.agenda import (
    GAME_OVER,
    MAX_OPTIONS,
    NOT_YOUR_DECISION,
    Refusal,
    asked,
    options,
    refusal,
)
from taflhall_engine.kernel.notation import read, snake, write
from tests.engine.every_game import walk
from tests.engine.every_game.strange import strange_commands


def test_options_are_the_offers_that_nothing_refuses(name):
    def law(p):
        top = p.top
        for seat in asked(p.s):
            listed = options(p.s, seat)
            offers = top.offers(p.s, seat)
            assert listed == [c for c in offers if top.refusal(p.s, seat, c) is None]
            assert listed == top.options(p.s, seat)

    walk.hold(name, law, rounds=7)


def test_every_decision_lists_between_one_and_256_different_options(name):
    def law(p):
        for seat in asked(p.s):
            listed = options(p.s, seat)
            assert 1 <= len(listed) <= MAX_OPTIONS
            assert len(set(listed)) == len(listed)

    walk.hold(name, law, rounds=7)


def test_a_command_is_refused_unless_it_is_an_option(name):
    def law(p):
        for seat in asked(p.s):
            listed = options(p.s, seat)
            for command in [*walk.some(listed, 6, p.rng), *strange_commands(p, listed, 12)]:
                reason = refusal(p.s, seat, command)
                assert (reason is None) == (command in listed), (seat, command, reason)

    walk.hold(name, law, rounds=3, every=2)


def test_a_refusal_names_a_rule_and_a_code(name):
    def law(p):
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

    walk.hold(name, law, rounds=3, every=5)


def test_nobody_else_may_answer(name):
    def law(p):
        for seat in [*p.viewers, 99, -7]:
            if seat in asked(p.s):
                continue
            assert options(p.s, seat) == []
            for command in strange_commands(p, [], 2):
                expected = NOT_YOUR_DECISION if p.s.agenda else GAME_OVER
                assert refusal(p.s, seat, command) == expected

    walk.hold(name, law, rounds=2, every=5)


def test_every_option_and_step_is_read_as_it_was_written(name):
    seen = set()

    def law(p):
        found = [c for seat in asked(p.s) for c in options(p.s, seat)]
        for value in [*found, *p.s.agenda]:
            if value in seen:
                continue
            text = write(value, p.game.labels)
            assert read(text, p.game.types, p.game.labels) == value
            assert text == " ".join(text.split())
            seen.add(value)

    walk.hold(name, law, rounds=4)
