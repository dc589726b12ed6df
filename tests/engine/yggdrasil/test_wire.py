"""Everything met in random play goes over the wire and comes back the same."""

from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.vocabulary import commands_of, decisions_of, events_of
from taflhall_engine.yggdrasil.setup import Setup
from taflhall_wire.translate import Translator
from tests.engine.yggdrasil.position import GAME, at, do

WIRE = Translator(GAME)


def met(s, seed, kinds):
    """Play on at random; translate every value there and back."""
    rng = FastChance(seed)
    s.journal = [] if s.journal is None else s.journal
    while s.agenda:
        top, seat = s.agenda[-1], s.active
        listed = options(s, seat)
        message = WIRE.decision_to(top, seat, "d", listed)
        assert WIRE.step_from(message) == top
        assert [WIRE.command_from(option.command) for option in message.options] == listed
        view = GAME.view(s, seat)
        assert WIRE.view_from(WIRE.view_to(view)) == view
        kinds |= {type(top).__name__, *[type(option).__name__ for option in listed]}
        apply(s, seat, listed[rng.below(len(listed))])
    for event in s.journal:
        assert WIRE.event_from(WIRE.event_to(event)) == event
        kinds.add(type(event).__name__)


def test_every_command_decision_event_and_view_is_read_as_it_was_written():
    kinds: set[str] = set()
    for seed in range(12):
        setup = Setup(seats=seed % 6 + 1, furious=seed % 7, ragnarok=seed % 5, bag_inspection=1)
        assert WIRE.setup_from(WIRE.setup_to(setup)) == setup
        met(GAME.new(setup, FastChance(seed)), seed, kinds)
    for giant, others in (
        ("bergelmir", ["greip", "hrym", "thrym"]),
        ("geirrod", ["skrymir", "baugi", "thjazi"]),
        ("suttung", ["hrungnir", "angrboda", "vafthrudnir"]),
        ("gjalp", ["utgardaloki", "hymir", "fornjot"]),
    ):
        enemies = {"hel": 2, "loki": 3, "surt": 2, "fenrir": 3, "nidhogg": 4}
        s = at(giants_defeated=others, vanir=5, enemies=enemies)
        twin = s.copy()
        twin.chance = FastChance(2)
        met(twin, 2, kinds)
        s.journal = []
        do(s, "vanaheim", mode="use", space=5, giant=giant)
        for option in options(s, 0):
            twin = s.copy()
            twin.chance = FastChance(1)
            apply(twin, 0, option)
            met(twin, 1, kinds)
        s.chance = FastChance(1)
        met(s, 1, kinds)
    used = {*commands_of(GAME.types), *decisions_of(GAME.types), *events_of(GAME.types)}
    assert used - kinds == set()


def test_every_setup_comes_back_the_same():
    for setup in (
        Setup(),
        Setup(gods=[3, 0]),
        Setup(seats=6, spread_evenly=False),
        Setup(seats=1, furious_enemies=[0, 5], ragnarok=4, thor_without_die=True),
    ):
        assert WIRE.setup_from(WIRE.setup_to(setup)) == setup
