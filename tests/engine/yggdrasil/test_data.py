"""The component data: read from the file, checked, and nothing of it fixed in the code."""

import shutil
from pathlib import Path

import pytest

import taflhall_engine.yggdrasil
from taflhall_engine import registry
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.components import InvalidData
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.yggdrasil.game import Yggdrasil
from taflhall_engine.yggdrasil.ids import ISLANDS, NIFLHEIM, PLUS_SHIFT
from taflhall_engine.yggdrasil.setup import Setup
from tests.engine.yggdrasil.position import GAME

DATA = Path(taflhall_engine.yggdrasil.__file__).parent / "data" / "components.toml"


def changed(folder, *changes):
    """Return a game with the data changed: each text, found just once, by another."""
    text = DATA.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "components.toml").write_text(text, "utf-8")
    return Yggdrasil(folder)


def test_the_data_of_another_folder_are_read_and_named_by_their_digest(tmp_path):
    shutil.copy(DATA, tmp_path)
    assert registry.game("yggdrasil", tmp_path).data_digest == GAME.data_digest
    other = changed(tmp_path, ("giant_strength = 3", "giant_strength = 4"))
    assert other.data_digest != GAME.data_digest
    assert other.components.giant_strength == 4
    assert GAME.components.giant_strength == 3


def test_corrected_numbers_need_no_code(tmp_path):
    other = changed(
        tmp_path,
        ("per_turn = 3", "per_turn = 2"),
        (
            'chain = ["rainbow", "white", "blue", "green", "black"]',
            'chain = ["rainbow", "black", "green", "blue", "white"]',
        ),
        ("ring = false", "ring = true"),
        ("beyond_wall = 5", "beyond_wall = 6"),
        (
            'colour = "black"\nprovenance = "reconstructed"\n\n[[die.face]]\nindex = 2',
            'colour = "green"\nprovenance = "reconstructed"\n\n[[die.face]]\nindex = 2',
        ),
        ('index = 4\neffect = "push_enemy"', 'index = 2\neffect = "push_enemy"'),
        ('index = 2\neffect = "take_vikings"', 'index = 4\neffect = "take_vikings"'),
        ('enemies = ["loki", "nidhogg", "surt"]', 'enemies = ["loki", "nidhogg"]'),
    )
    components = other.components
    assert components.actions == 2
    assert components.neighbours[0] == [1, 4]
    assert components.face_colour[0] == 3
    assert components.effect_space == [1, 4, 3, 2, 5]
    assert components.card_enemies[13] == [3, 4]
    for seed in range(3):
        s = other.new(Setup(seats=3, ragnarok=4), FastChance(seed))
        rollout(s, FastChance(seed), 10_000)
        assert other.faults(s) == []


def test_16_32_seven_giants_block_six_worlds_niflheim_twice():
    blocked = [bits for bits in GAME.components.giant_bits if bits < 1 << PLUS_SHIFT]
    assert len(blocked) == 7
    assert blocked.count(1 << NIFLHEIM) == 2
    assert len(set(blocked)) == 6


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("vikings = 47", "vikings = 46", "island"),
        ("fire_giants = 42", "fire_giants = 41", "island"),
        ("enemy_cards = 42", "enemy_cards = 41", "enemy"),
        ("elves = 8", "elves = 6", "counts.elves"),
        ("cards_drawn = 2", "cards_drawn = 3", "god odin.cards_drawn"),
        ("rolls = 2", "rolls = 3", "god tyr.rolls"),
        ('id = "gjalp"', 'id = "gjalpa"', "giant"),
        ('world = "muspellheim"', 'world = "asgardia"', "giant gjalp"),
        ('effect = "whirlpool"', 'effect = "storm"', "giant thjazi"),
        ("spaces = [6, 7]", "spaces = [6]", "track.zone"),
        ("residence_space = 8", "residence_space = 7", "track"),
        ("helheim_vikings = 5\nmuspellheim", 'helheim_vikings = "5"\nmuspellheim', "setup"),
        ("sides = 6", "sides = 5", "die.face"),
        ('submerged_at_start = "black"', 'submerged_at_start = "rainbow"', "islands.submerged"),
        ('["white"]', '["red"]', "fenrir_calm"),
        ('effect = "peek_deck"', 'effect = "push_enemy"', "vanir_track.space"),
        ('enemies = ["fenrir", "loki", "surt"]', 'enemies = ["surt", "surt"]', "ragnarok_3"),
        ('values = ["no", "yes"]', 'values = ["yes"]', "option thor_without_die"),
        ("[track]", "[trick]", "components.toml"),
        ("sides = 6", "sides = ", "components.toml"),
        ("giants_needed = 4\nvikings_max", "giants_needed = 5\nvikings_max", "rune sigel"),
    ],
)
def test_data_that_make_no_game_are_refused_by_place(tmp_path, old, new, place):
    with pytest.raises(InvalidData) as caught:
        changed(tmp_path, (old, new))
    assert any(place in fault.place for fault in caught.value.faults)


def test_all_faults_are_named_at_once(tmp_path):
    with pytest.raises(InvalidData) as caught:
        changed(tmp_path, ("vikings = 47", "vikings = 46"), ("sides = 6", "sides = 5"))
    assert len(caught.value.faults) == 2


def test_1_6_the_catalogue_lists_the_faces_of_the_die_as_the_rules_read_them():
    faces = [component for component in GAME.catalog if component.kind == "die_face"]
    values = [int(face.properties["value"]) for face in faces]
    colours = [ISLANDS.index(face.properties["colour"]) for face in faces]
    assert values == GAME.components.face_value
    assert colours == GAME.components.face_colour


def test_components_have_names_in_both_languages_and_a_provenance():
    kinds = {component.kind for component in GAME.catalog}
    assert {"world", "enemy", "ragnarok", "island", "giant", "rune", "god", "option"} <= kinds
    for component in GAME.catalog:
        assert all(component.names.values())
        if component.kind != "preset":
            assert component.provenance in ("seed", "public", "reconstructed"), component
