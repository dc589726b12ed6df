"""Tables on which single refusals of Champions are tested (CM-17.4)."""

from taflhall_engine.kernel.agenda import options, refusal
from tests.engine.champions.tables import started


def at(decision, seats=2):
    """A match of round 1 in which seat 0 has to answer *decision* and owns nothing."""
    s = started(seats=seats, start_seat=0)
    s.agenda = [decision]
    s.legal = None
    clan = s.clans[0]
    clan.goods, clan.favour, clan.warriors, clan.runes = [0, 0, 0], 0, [0, 0, 0], 0
    clan.destinies = []
    return s


def code(s, command):
    """Return the code that *command* of seat 0 is refused with; empty if it is legal.

    A command is listed exactly if it is not refused.
    """
    s.legal = None
    reason = refusal(s, 0, command)
    assert (command in options(s, 0)) == (reason is None)
    return "" if reason is None else reason.code


def rule(s, command):
    """Return the rule that forbids *command* to seat 0."""
    reason = refusal(s, 0, command)
    assert reason is not None
    return reason.rule
