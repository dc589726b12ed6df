"""The conformance cases, and that the runner notices what is wrong."""

import copy
import os
from pathlib import Path
from typing import Any

import pytest

from taflhall_engine.conformance import run_case
from taflhall_engine.conformance.cases import read_cases, run_cases
from tests.engine.yggdrasil.position import GAME

OWN = Path(__file__).parent / "cases"


def files():
    folder = Path(os.environ.get("TAFLHALL_CASES", OWN))
    return [file for file in sorted(folder.glob("*.toml")) if read_cases(file)[0] == "yggdrasil"]


def every_case():
    for file in files():
        for case in read_cases(file)[1]:
            yield pytest.param(case, id=str(case.get("id")))


@pytest.mark.parametrize("case", list(every_case()))
def test_a_case(case):
    [outcome] = run_cases(GAME, [case])
    assert outcome.differences == []


def case_of(given, then, when=()):
    return {"id": "x", "title": "x", "refs": [], "when": list(when), "given": given, "then": then}


GIVEN = {"gods": ["thor", "frey"]}


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (case_of({**GIVEN, "colour": 1}, {}), "given.colour"),
        (case_of(GIVEN, {"elfs": 1}), "then.elfs"),
        ({**case_of(GIVEN, {}), "whem": []}, "case.whem"),
        (case_of(GIVEN, {"enemies": {"odin": 1}}), "odin"),
        (case_of({**GIVEN, "enemies": {"hell": 2}}, {}), "hell"),
        (case_of({**GIVEN, "enemies": {"hel": 9}}, {}), "enemies"),
        (case_of({**GIVEN, "dice": ["7"]}, {}), "no face shows"),
        (case_of({**GIVEN, "dice": ["2"]}, {}), "1 dice"),
        (case_of({**GIVEN, "phase": "noon"}, {}), "noon"),
        (case_of({**GIVEN, "hold": {"tyr": {"elves": 1}}}, {}), "tyr"),
        (case_of({**GIVEN, "hold": {"thor": {"gold": 1}}}, {}), "gold"),
        (case_of({**GIVEN, "hold": {"thor": {"vikings": 48}}}, {}), "47 Vikings"),
        (case_of({**GIVEN, "bags": {"rainbow": [1, 1]}}, {}), "rainbow"),
        (case_of({**GIVEN, "options": {"thor": "yes"}}, {}), "options.thor"),
        (case_of({**GIVEN, "giants_active": ["gjalp"], "giants_defeated": ["gjalp"]}, {}), "two"),
        (case_of({**GIVEN, "giants_deck": ["gjalp"]}, {}), "a giant is nowhere"),
        (case_of({**GIVEN, "deck": ["nidhogg!", "hel", "nidhogg!"]}, {}), "only one card nidhogg!"),
        (case_of({**GIVEN, "deck": ["ragnarok_1", "ragnarok_1"]}, {}), "only one card ragnarok_1"),
        (case_of({**GIVEN, "deck": ["hel"] * 8}, {}), "8 cards of hel"),
        (case_of({**GIVEN, "deck": ["hel!", *["hel"] * 7]}, {}), "8 cards of hel"),
        (case_of({**GIVEN, "fenrir_angry": True, "deck": ["fenrir"] * 7}, {}), "8 cards of fenrir"),
        (case_of({**GIVEN, "actions_used": 5}, {}), "actions_used"),
        (case_of({**GIVEN, "daeg_turns": 4}, {}), "daeg_turns"),
        (case_of({"gods": ["odin", "odin"]}, {}), "different gods"),
        (case_of(GIVEN, {"options": ["end_turn"]}), "options: expected ['end_turn'], found"),
        (case_of(GIVEN, {"legal": [{"do": "alfheim", "enmy": "hel"}]}), "enmy"),
        (case_of(GIVEN, {"illegal": [{"do": "alfheim"}]}), "names no error"),
        (case_of(GIVEN, {"legal": [{"do": "asgard", "enemy": "hel"}]}), "invalid_target"),
        (case_of(GIVEN, {"illegal": [{"do": "alfheim", "error": "x"}]}), "found 'ok'"),
        (case_of(GIVEN, {"helheim": 6}), "helheim: expected 6, found 5"),
        (case_of(GIVEN, {"hold": {"thor": {"weapons": {"hel": 1}}}}), "hold.thor.weapons"),
        (case_of(GIVEN, {}, [{"do": "alfheim", "at": "choose_die"}]), "choose_die"),
        (case_of(GIVEN, {}, [{"do": "asgard", "enemy": "hel"}]), "invalid_target"),
        (case_of(GIVEN, {}, [{"do": "alfheim", "error": "no_effect"}]), "found 'ok'"),
        (case_of(GIVEN, {}, [{"do": "helheim", "island": "white", "by": "zeus"}]), "zeus"),
        (
            case_of({**GIVEN, "valkyries": "white"}, {}, [{"do": "midgard", "search": True}]),
            "no draw is left",
        ),
        (
            case_of(
                {
                    **GIVEN,
                    "valkyries": "white",
                    "draws": [{"bag": "blue", "vikings": 1, "fire_giants": 2}],
                },
                {},
                [{"do": "midgard", "search": True}],
            ),
            "draws: expected ['blue'], found ['white']",
        ),
        (case_of({"phase": "setup", "create": {"gods": ["thor"], "colour": 1}}, {}), "colour"),
        (case_of({"phase": "setup", "create": {"gods": ["thor"]}}, {"error": "x"}), "error"),
        (case_of({"phase": "setup", "create": {"seats": 7}}, {"helheim": 5}), "invalid_setup"),
        (case_of({"phase": "setup", "create": {}}, {"gods_count": 2}), "gods: gods_or_seats"),
        (
            case_of({"phase": "setup", "create": {"gods": ["odin"]}}, {"pending": "choose_card"}),
            "pending",
        ),
        (
            case_of(
                {"phase": "setup", "create": {"gods": ["odin"]}},
                {"deck_count": 42},
                [{"do": "draw_cards", "cards": 3}],
            ),
            "invalid_target",
        ),
        (
            case_of(
                {"phase": "setup", "create": {"seats": 1, "ragnarok": 2}}, {"pile_sizes": [44]}
            ),
            "pile_sizes",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_case_is_noticed(case, reason):
    [outcome] = run_cases(GAME, [copy.deepcopy(case)])
    assert any(reason in difference for difference in outcome.differences), outcome


def test_every_value_of_then_is_compared():
    given = {
        "gods": ["thor", "frey"],
        "deck": ["hel", "surt"],
        "hold": {"thor": {"vikings": 1, "elves": 1, "weapons": {"hel": 2}}},
    }
    true: dict[str, Any] = {
        "enemies": {"hel": 1},
        "bags": {"white": [6, 12]},
        "helheim": 4,
        "muspellheim": 12,
        "alfheim": 2,
        "hold": {"thor": {"vikings": 1}},
        "valkyries": "rainbow",
        "sunken": "black",
        "vanir": 1,
        "fenrir_angry": False,
        "daeg_turns": 0,
        "giants_active": [],
        "giants_defeated": [],
        "discard": [],
        "worlds_used": [],
        "blocked_worlds": [],
        "giants_deck_count": 16,
        "giants_deck_top": "bergelmir",
        "deck": ["hel", "surt"],
        "deck_count": 2,
        "known_deck": ["", ""],
        "actions_left": 3,
        "active": "thor",
        "pending": "choose_action",
        "pending_by": "thor",
        "outcome": "none",
        "reasons": [],
        "powers_active": True,
        "strength": {"hel": 0},
        "forge_cards": 17,
        "boxed_elves": 5,
        "gods_count": 2,
        "specials": 0,
        "plain_each": {"hel": 1},
    }
    assert run_case(GAME, case_of(given, true)) == []
    for key, value in true.items():
        wrong: Any = value[:-1] if isinstance(value, list) and value else ["x"]
        if isinstance(value, dict):
            wrong = {next(iter(value)): {"vikings": 9} if key == "hold" else 9}
        elif not isinstance(value, list):
            wrong = "wrong"
        [difference] = run_case(GAME, case_of(given, {key: wrong}))
        assert difference.startswith(key)


def test_17_5_pending_options_are_the_logical_answers():
    def options(wanted, when=(), **given):
        case = case_of({"gods": ["tyr", "odin"], **given}, {"pending_options": wanted}, when)
        return run_case(GAME, case)

    pull = {"phase": "turn_start", "deck": ["nidhogg"], "enemies": {"hel": 2, "loki": 2}}
    assert options(["fenrir", "jormungand", "nidhogg", "surt"], **pull) != []
    assert options(["fenrir", "jormungand", "surt"], **pull) == []
    odin = {"active": "odin", "phase": "turn_start", "deck": ["hel", "surt"]}
    assert options([1, 2], **odin) == []
    draw = [{"do": "draw_cards", "cards": 2}]
    assert options([0, 1], draw, **odin) == []
    assert options(["hel", "surt"], draw, **odin) == []
    fight = [{"do": "asgard", "enemy": "hel"}]
    tyr = {"enemies": {"hel": 2}, "dice": ["0", "3"]}
    assert options(["0", "3"], fight, **tyr) == []
    peek = [{"do": "vanaheim", "mode": "use", "space": 3}]
    assert options(["hel", "loki"], peek, vanir=3, deck=["hel", "loki"]) == []
    assert options(["appease"], fenrir_angry=True) == []
    elves = {"gods": ["frey"], "enemies": {"hel": 2}, "hold": {"frey": {"elves": 2}}}
    assert options([0, 1, 2], fight, **elves, dice=["1"]) == []
