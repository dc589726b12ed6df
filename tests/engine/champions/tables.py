"""Tables of Champions of Midgard for the tests, and how to play on from them."""

from typing import Any

from taflhall_engine import registry
from taflhall_engine.champions.rules.setup import ChooseLeader
from taflhall_engine.conformance.cases import Keys
from taflhall_engine.conformance.champions.answers import Answerer
from taflhall_engine.kernel.agenda import apply, asked, check, options, waiting
from taflhall_engine.kernel.chance import FastChance

GAME: Any = registry.game("champions")


def new(seed=0, **setup):
    """Return a match that has just been laid out."""
    return GAME.new(GAME.setup_kind(**setup), FastChance(seed))


def started(seed=0, **setup):
    """Return a match in round 1: the leaders are chosen in the order of the data."""
    s = new(seed, **setup)
    while isinstance(waiting(s), ChooseLeader):
        seat = asked(s)[0]
        apply(s, seat, options(s, seat)[0])
    return s


def do(s, *commands):
    """Give legal commands for the seat that decides."""
    for command in commands:
        [seat] = asked(s)
        check(s, seat, command)
        apply(s, seat, command)


def answer(s, **fields):
    """Give a logical answer (CM-17.2) for the seat that decides."""
    [seat] = asked(s)
    answerer = Answerer(s, s.components.ship_ids)
    answerer.answer(Keys("answer", {"seat": seat, **fields}))


def legal(s):
    [seat] = asked(s)
    return options(s, seat)


def play(s, rng, plies=10**6, stop=lambda s: False):
    """Play at random until the match is over, *plies* are made or *stop* says so."""
    made = 0
    while s.agenda and made < plies and not stop(s):
        [seat] = asked(s)
        listed = options(s, seat)
        apply(s, seat, listed[rng.below(len(listed))])
        made += 1
    return made


def events_for(s, seat):
    """Return the events that *seat* has seen since the last call, and clear the journal."""
    seen = [event.seen_by(seat) for event in s.journal]
    return [event for event in seen if event is not None]
