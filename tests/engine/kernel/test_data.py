"""Component data, rulebook and vocabulary of a game."""

import hashlib
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from taflhall_engine.kernel.agenda import Answered, Event, Step
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.components import InvalidData, by_kind, catalog, read_data
from taflhall_engine.kernel.game import InvalidSetup
from taflhall_engine.kernel.rulebook import Rule, Rulebook, read_rulebook
from taflhall_engine.kernel.vocabulary import (
    commands_of,
    decisions_of,
    events_of,
    types_of,
)
from taflhall_engine.registry import GAMES, UnknownGame
from taflhall_engine.registry import game as registered
from tests.engine.toy import FOLDER, QUAY, QuayGame, Setup, rules, table, view

DATA = FOLDER / "quay" / "data" / "components.toml"


@pytest.fixture
def folder(tmp_path):
    shutil.copy(DATA, tmp_path)
    return tmp_path


# ---------------------------------------------------------------- components


def test_a_component_has_names_provenance_and_properties():
    amber = QUAY.catalog[0]
    assert (amber.kind, amber.number, amber.id) == ("good", 0, "amber")
    assert (amber.names, amber.provenance) == ({"en": "Amber", "de": "Bernstein"}, "seed")
    assert amber.properties == {"copies": "4", "price": "4"}


def test_printed_properties_are_given_as_text():
    [coin] = catalog(
        {
            "schema": 1,
            "coin": [{"id": "one", "round": True, "sides": ["a", "b"], "weight": {"g": 3}}],
            "words": [{"no_id": 1}, "id", "identity"],
            "id": "none",
        }
    )
    assert coin.names == {"en": "one"}
    assert coin.properties == {"round": "yes", "sides": "a, b", "weight": "g=3"}


def test_a_component_has_a_name_in_every_language_of_its_data():
    names = {"name": "Amber", "name_de": "Bernstein", "name_pt_BR": "Âmbar"}
    [amber] = catalog({"good": [{"id": "amber", **names}]})
    assert amber.names == {"en": "Amber", "de": "Bernstein", "pt-BR": "Âmbar"}
    assert amber.name == "Amber"


def test_components_without_an_id_have_a_position():
    found = catalog({"berth": [{"position": 4}, {"position": 2}], "good": [{"id": "amber"}]})
    assert [(one.kind, one.number, one.id) for one in found] == [
        ("berth", 0, "4"),
        ("berth", 1, "2"),
        ("good", 0, "amber"),
    ]
    assert by_kind(found) == {"berth": found[:2], "good": found[2:]}
    assert by_kind([]) == {}


def test_the_parts_of_one_thing_are_components_of_a_kind_of_their_own():
    faces = catalog({"die": {"sides": 2, "face": [{"index": 1, "value": 0}, {"index": 2}]}})
    assert [(face.kind, face.number, face.id) for face in faces] == [
        ("die_face", 0, "1"),
        ("die_face", 1, "2"),
    ]
    assert faces[0].properties == {"value": "0"}


def test_an_owner_of_the_box_can_correct_it(folder):
    text = (folder / "components.toml").read_text("utf-8")
    (folder / "components.toml").write_text(text.replace("price = 4", "price = 7"), "utf-8")
    other = QuayGame(folder)
    assert other.components.prices == [7, 3, 2, 1]
    assert other.data_digest != QUAY.data_digest


def test_the_digest_is_that_of_the_file_whatever_its_line_ends(folder):
    raw = DATA.read_bytes()
    assert QUAY.data_digest == hashlib.sha256(raw).hexdigest()
    (folder / "components.toml").write_bytes(raw.replace(b"\n", b"\r\n"))
    assert QuayGame(folder).data_digest == QUAY.data_digest


def test_every_fault_of_the_data_is_named_at_once(folder):
    (folder / "components.toml").write_text('[[good]]\nid = "amber"\n[[good]]\ncopies = 3\nprice=1')
    with pytest.raises(InvalidData) as error:
        QuayGame(folder)
    assert [(f.place, f.reason) for f in error.value.faults] == [
        ("good", "4 kinds are needed, found 2"),
        ("good[0]", "copies is missing"),
        ("good[0]", "price is missing"),
        ("good[1]", "id is missing"),
    ]
    assert "good[1]: id is missing" in str(error.value)


@pytest.mark.parametrize("raw", [b"[[good]", b"\xff", b"a = 1\na = 2"])
def test_data_that_are_no_toml_are_invalid(folder, raw):
    (folder / "components.toml").write_bytes(raw)
    with pytest.raises(InvalidData, match=r"components\.toml"):
        QuayGame(folder)


def test_a_folder_without_data_is_invalid(tmp_path):
    with pytest.raises(InvalidData, match=r"components\.toml"):
        read_data("quay", tmp_path / "nowhere")


# ---------------------------------------------------------------- corrections


@pytest.fixture
def overlay(tmp_path: Path):
    def write(text: str, folder: str = "") -> Path:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "overlay.toml").write_text(text, "utf-8")
        return tmp_path

    return write


def test_an_overlay_corrects_one_value_and_leaves_the_rest(overlay):
    other = QuayGame(overlay('[[good]]\nid = "amber"\nprice = 7'))
    assert other.components.prices == [7, 3, 2, 1]
    assert other.components.copies == QUAY.components.copies
    assert other.data_digest != QUAY.data_digest


def test_an_overlay_that_changes_nothing_has_the_digest_of_the_shipped_data(overlay):
    assert QuayGame(overlay('[[good]]\nid = "amber"\nprice = 4')).data_digest == QUAY.data_digest


def test_equal_corrections_have_one_digest(overlay):
    one = QuayGame(overlay('[[good]]\nid = "amber"\nprice = 7')).data_digest
    other = QuayGame(overlay('# printed\n[[good]]\nprice = 7\nid = "amber"')).data_digest
    assert one == other


def test_an_overlay_may_be_in_a_folder_of_its_game(overlay):
    assert QuayGame(overlay('[[good]]\nid = "amber"\nprice = 7', "quay")).components.prices[0] == 7


def test_a_folder_for_other_games_leaves_a_game_as_shipped(overlay):
    folder = overlay("[die]\nsides = 6", "another")
    assert QuayGame(folder).data_digest == QUAY.data_digest
    (folder / "another" / "overlay.toml").rename(folder / "another" / "components.toml")
    assert QuayGame(folder).data_digest == QUAY.data_digest


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[[good]]\nid = "amber"\nprize = 7', "good.amber.prize: unknown key; known are copies"),
        ('[[goods]]\nid = "amber"', "goods: unknown key"),
        ('[[good]]\nid = "gold"\nprice = 7', "good.gold: unknown id; known are amber"),
        ("[[good]]\nprice = 7", "good: an entry needs its id"),
    ],
)
def test_an_overlay_that_names_what_is_not_there_is_refused(overlay, text, place):
    with pytest.raises(InvalidData, match=re.escape(place)):
        QuayGame(overlay(text))


def test_an_unknown_key_of_a_whole_file_is_refused(folder):
    file = folder / "components.toml"
    file.write_text(file.read_text("utf-8").replace("price = 4", "price = 4\nprize = 5"), "utf-8")
    with pytest.raises(InvalidData, match=r"good\.amber\.prize: unknown key"):
        QuayGame(folder)


# ---------------------------------------------------------------- setups


def test_a_setup_has_defaults():
    assert QUAY.new(QUAY.setup_kind(), FastChance(1)).rounds == 5


def test_every_fault_of_a_setup_is_named_at_once():
    with pytest.raises(InvalidSetup, match="seats: out_of_range; rounds: out_of_range") as error:
        QUAY.new(Setup(7, 0), FastChance(1))
    assert [(f.field, f.code) for f in error.value.faults] == [
        ("seats", "out_of_range"),
        ("rounds", "out_of_range"),
    ]


# ---------------------------------------------------------------- rulebook


def test_a_rule_is_read_in_two_languages():
    book = QUAY.rulebook
    assert book.text("Q-2.2") == (
        "Everybody bids any number of their coins in secret, at the same time."
    )
    assert book.text("Q-2.2", "de").startswith("Alle bieten")
    assert book.text("Q-9") == ""
    assert list(book.rules)[:3] == ["Q-0", "Q-1", "Q-1.1"]
    assert read_rulebook("quay").rules == book.rules


def test_a_rule_that_is_not_translated_is_read_in_english():
    book = Rulebook([Rule("Q-1", {"en": "Bid.", "de": ""}, "")])
    assert [book.text("Q-1", language) for language in ("en", "de", "fr")] == ["Bid."] * 3


def test_a_rule_without_code_says_why():
    silent = {rule.number for rule in QUAY.rulebook.rules.values() if rule.nothing_to_do}
    assert silent == {"Q-1.1"}


# ---------------------------------------------------------------- what a game need not say


def test_a_game_says_nothing_more_about_its_results_and_texts_unless_it_wants_to():
    s = QUAY.new(Setup(), FastChance(1))
    assert QUAY.reason_rule("coins") == ""
    assert (QUAY.score_lines(s), QUAY.projected_lines(QUAY.view(s, 0))) == ([], [])
    assert QUAY.details(rules.Bid(1), None) == {}
    assert QUAY.npc_alone(s) is None


# ---------------------------------------------------------------- vocabulary


def test_the_vocabulary_holds_the_classes_of_the_modules():
    assert QUAY.types["Bid"] is rules.Bid
    assert QUAY.types["Answered"] is Answered
    assert "Chance" not in QUAY.types
    assert "Refusal" not in QUAY.types


def test_the_vocabulary_has_commands_decisions_and_events():
    kinds = QUAY.types
    assert set(decisions_of(kinds)) == {
        "SealedBids",
        "ChooseGood",
        "TakeRest",
        "SellPair",
        "ThrowOne",
    }
    assert set(commands_of(kinds)) == {
        "Bid",
        "TakeGood",
        "PayCoin",
        "PayFavour",
        "Sell",
        "Keep",
        "Throw",
    }
    assert set(events_of(kinds)) == {"LotTurned", "Revealed", "Paid", "Took", "Threw"}


def test_two_classes_of_one_name_are_refused():
    other = ModuleType("other")
    twin = type("Rival", (), {})
    twin.__module__ = "other"
    other.Rival = twin  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="two classes are called Rival"):
        types_of(view, other)


def test_the_base_of_steps_without_a_rule_does_not_count():
    other = ModuleType("other")
    for name, rule in (("Base", ""), ("Rule", "Q-1")):
        kind = type(name, (), {"RULE": rule, "__module__": "other"})
        setattr(other, name, kind)
    assert set(types_of(other)) - set(types_of()) == {"Rule"}


def test_a_class_that_is_only_imported_does_not_count():
    other = ModuleType("other")
    other.Bid = rules.Bid  # type: ignore[attr-defined]
    other.Step, other.Event = Step, Event  # type: ignore[attr-defined]
    assert "Bid" not in types_of(other, table)


# ---------------------------------------------------------------- registry


@pytest.mark.parametrize("name", list(GAMES))
def test_a_registered_game_is_made_once(name):
    assert registered(name) is registered(name)
    assert registered(name).id == name


@pytest.mark.parametrize("name", ["", "chess", "Yggdrasil", "../yggdrasil"])
def test_an_unknown_game_is_refused_with_those_there_are(name):
    with pytest.raises(UnknownGame, match="yggdrasil"):
        registered(name)
