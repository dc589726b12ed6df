"""A table can be stored, copied and asked without anything changing."""

from taflhall_testing import laws
from tests.engine.every_game import walk


def test_a_snapshot_holds_the_whole_table(name):
    walk.hold(name, laws.a_snapshot_holds_the_whole_table)


def test_a_stored_match_continues_as_it_would_have(name):
    walk.hold(name, laws.a_stored_match_continues_as_it_would_have)


def test_a_copy_is_deep(name):
    walk.hold(name, laws.a_copy_is_deep)


def test_the_original_may_continue_without_its_copy(name):
    walk.hold(name, laws.the_original_may_continue_without_its_copy)


def test_asking_changes_nothing(name):
    walk.hold(name, laws.asking_changes_nothing)


def test_a_view_stays_as_it_was(name):
    walk.hold(name, laws.a_view_stays_as_it_was)


def test_a_refused_command_changes_nothing(name):
    walk.hold(name, laws.a_refused_command_changes_nothing)


def test_a_journal_does_not_change_what_happens(name):
    walk.hold(name, laws.listening_changes_nothing)
