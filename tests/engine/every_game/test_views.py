"""What a seat may know: enough to go on from, and nothing of what is hidden."""

from collections import defaultdict

from taflhall_engine.kernel.agenda import Waiting, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.snapshot import dump_table
from taflhall_engine.kernel.value import Value
from tests.engine.every_game import setups, walk


def test_an_imagined_table_looks_the_same(name):
    def law(p):
        for viewer in p.viewers:
            view = p.game.view(p.s, viewer)
            assert view.seat == viewer
            imagined = p.game.imagine(view, p.rng.copy())
            assert p.game.view(imagined, viewer) == view
            assert asked(imagined) == asked(p.s)
            if viewer in asked(p.s):
                assert options(imagined, viewer) == options(p.s, viewer)

    walk.hold(name, law, every=3)


def test_an_imagined_table_is_sound_and_can_be_played_to_its_end(name):
    bound = setups.trial(name).plies

    def law(p):
        for viewer in p.viewers:
            imagined = p.game.imagine(p.game.view(p.s, viewer), p.rng.copy())
            assert p.game.faults(imagined) == []
            assert rollout(imagined, p.rng, bound) < bound
            assert p.game.faults(imagined) == []
            assert p.game.result(imagined) is not None

    walk.hold(name, law, every=23)


def test_the_same_luck_imagines_the_same_table(name):
    def law(p):
        for viewer in p.viewers:
            view = p.game.view(p.s, viewer)
            one, other = (p.game.imagine(view, FastChance(p.ply)) for _ in range(2))
            assert dump_table(p.game, one) == dump_table(p.game, other)

    walk.hold(name, law, every=11)


def test_imagining_does_not_return_the_truth(name):
    """Each field of the table that is ever imagined otherwise takes several values; and a
    game that hides something imagines it otherwise: else the laws above would say nothing."""
    otherwise: dict[str, int] = defaultdict(int)
    checked = 0

    def law(p):
        nonlocal checked
        checked += 1
        truth = dump_table(p.game, p.s)["table"]
        for seed in range(3):
            view = p.game.view(p.s, -1)
            imagined = dump_table(p.game, p.game.imagine(view, FastChance(seed)))["table"]
            for field, value in imagined.items():
                otherwise[field] += value != truth[field]

    walk.hold(name, law, every=5)
    found = {field for field, n in otherwise.items() if n}
    if setups.trial(name).reveals:
        assert sum(otherwise.values()) > checked * 4 * setups.trial(name).hides, dict(otherwise)
        assert found
    else:
        assert not found


def test_a_view_holds_numbers_texts_lists_and_values_only(name):
    def law(p):
        for viewer in p.viewers:
            view = p.game.view(p.s, viewer)
            assert type(view.public).__name__ == "PublicView"
            assert type(view.private).__name__ == "PrivateView"
            assert plain(view.public) == []
            assert plain(view.private) == []
            assert view.public == p.game.view(p.s, -1).public

    walk.hold(name, law, every=6)


def plain(value):
    """Return what of *value* is neither number, text, list, ``None`` nor value."""
    if value is None or isinstance(value, int | str):
        return []
    if isinstance(value, list):
        return [odd for part in value for odd in plain(part)]
    if isinstance(value, Value):
        return [odd for part in value.fields() for odd in plain(part)]
    return [value]


def test_the_agenda_is_public(name):
    def law(p):
        assert p.game.view(p.s, -1).public.agenda == p.s.agenda
        assert not p.s.agenda or isinstance(p.s.agenda[-1], Waiting)

    walk.hold(name, law, rounds=2, every=6)
