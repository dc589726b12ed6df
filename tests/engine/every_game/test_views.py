"""What a seat may know: enough to go on from, and nothing of what is hidden."""

from collections import defaultdict

from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.setups import from_text
from taflhall_engine.kernel.snapshot import dump_table
from taflhall_testing import laws
from tests.engine.every_game import setups, walk


def test_an_imagined_table_looks_the_same(name):
    walk.hold(name, laws.an_imagined_table_looks_the_same)


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
    walk.hold(name, laws.the_same_chance_imagines_the_same_table)


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
    walk.hold(name, laws.a_view_holds_numbers_texts_lists_and_values_only)


def test_the_agenda_is_public(name):
    walk.hold(name, laws.the_agenda_is_public)


def test_the_projected_score_is_the_score_once_the_match_is_over(name):
    game = setups.game(name)
    s = game.new(from_text(game, ["seats=2"]), FastChance(7))
    assert len(game.projected_lines(game.view(s, 0))) in (0, 2)
    rollout(s, FastChance(8), setups.trial(name).plies)
    assert game.result(s) is not None
    for viewer in (-1, 0):
        assert game.projected_lines(game.view(s, viewer)) == game.score_lines(s)
