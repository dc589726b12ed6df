"""Legality has one source: an option is an offer that nothing refuses."""

from taflhall_engine.kernel.agenda import (
    asked,
    options,
)
from taflhall_engine.kernel.notation import read, write
from taflhall_testing import laws
from tests.engine.every_game import walk


def test_options_are_the_offers_that_nothing_refuses(name):
    walk.hold(name, laws.options_are_the_offers_that_nothing_refuses)


def test_every_decision_lists_between_one_and_256_different_options(name):
    walk.hold(name, laws.every_decision_lists_between_one_and_256_different_options)


def test_a_command_is_refused_unless_it_is_an_option(name):
    walk.hold(name, laws.a_command_is_refused_unless_it_is_an_option)


def test_a_refusal_names_a_rule_and_a_code(name):
    walk.hold(name, laws.a_refusal_names_a_rule_and_a_code)


def test_nobody_else_may_answer(name):
    walk.hold(name, laws.only_the_seat_that_is_asked_may_answer)


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
