"""CM-1.4 An owner's data replaces the reconstructed; what is wrong with it is said at once."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from taflhall_engine.champions.game import PACKAGE, Champions
from taflhall_engine.kernel.components import InvalidData
from tests.engine.champions.tables import GAME

TEXT = (files(PACKAGE) / "data" / "components.toml").read_text("utf-8")


def data(tmp_path, *changes):
    """Return a folder with the data after replacing the first match of each pattern."""
    text = TEXT
    for pattern, new in changes:
        text, count = re.subn(pattern, new, text, count=1, flags=re.DOTALL)
        assert count == 1, pattern
    (tmp_path / "components.toml").write_text(text, "utf-8")
    return tmp_path


def faults(tmp_path, *changes):
    with pytest.raises(InvalidData) as error:
        Champions(data(tmp_path, *changes))
    return [tuple(fault) for fault in error.value.faults]


def test_1_4_printed_numbers_take_the_place_of_reconstructed_ones(tmp_path):
    game = Champions(
        data(
            tmp_path,
            (r'id = "troll_01"(.*?)attack = 1', r'id = "troll_01"\1attack = 3'),
            (r'"hit", "hit", "double", "double"', '"hit", "hit", "hit", "double"'),
            (r'id = "karvi"\nname = "Karvi"', 'id = "knarr"\nname = "Knarr"'),
        )
    )
    assert game.components.attack[0] == 3
    assert game.components.sides[2] == [0, 0, 1, 1, 1, 2]
    assert game.components.ship_ids[0] == "knarr"
    assert game.data_digest != GAME.data_digest


@pytest.mark.parametrize(
    ("pattern", "new", "place", "reason"),
    [
        (r"\nattack = 1\n", "\n", "troll.troll_01.attack", "missing"),
        (r"\nattack = 1\n", '\nattack = "one"\n', "troll.troll_01.attack", "'one'"),
        (r"\nattack = 1\n", "\nattack = -1\n", "troll.troll_01.attack", "from 0 to 60"),
        (r'color = "grey"', 'color = "red"', "troll.troll_01.color", "grey"),
        (r'color = "grey"', 'color = "pink"', "troll.troll_01.color", "'pink'"),
        (r"bans = \[\]\nprovenance = .reconstructed.\n\n\[\[troll", 'bans = ["bow"]\n\n[[troll',
         "troll.troll_01.bans", "bow"),
        (r'id = "troll_02"', 'id = "troll_01"', "troll[1].id", "twice"),
        (r"count = 8\neffect", "count = 7\neffect", "journey", "18 cards"),
        (r'effect = "none"', 'effect = "nap"', "journey.all_quiet.effect", "'nap'"),
        (r'metric = "wood"', 'metric = "luck"', "destiny.craftsman.metric", "'luck'"),
        (r'id = "gifts"', 'id = "presents"', "rune[0].id", "'presents'"),
        (r'\[\[leader\]\]\nid = "ullr".*?\n\n', "", "leader", "'ullr' is missing"),
        (r'kind = "military"', 'kind = "economy"', "market_stall", "4 military"),
        (r"gain = \{ swordsman = 2 \}", "gain = { knight = 2 }", "market_stall.sellsword_tent.gain",
         "'knight'"),
        (r'"hit", "hit", "double", "double"', '"hit", "double"', "die.axeman.faces", "6 sides"),
        (r"count = 12\n", "count = 11\n", "die.swordsman.count", "12"),
        (r"\[kraken\]", "[octopus]", "kraken", "missing"),
        (r"purchase = 4\ncoins = 2", "purchase = 4", "worker_hut_price[3].coins", "missing"),
        (r"blame = 6", "blame = 7", "blame_penalty[6].blame", "6"),
        (r"coins_per_glory = 3", "coins_per_glory = 0", "scoring.coins_per_glory", "from 1"),
        (r"right = \[3, 4\]", "right = [3, 5]", "shores.near.right", "1 to 4"),
        (r"capacity = 6", "capacity = 0", "private_longship.karvi.capacity", "from 1"),
    ],
)  # fmt: skip
def test_1_4_each_fault_is_named_with_its_place(tmp_path, pattern, new, place, reason):
    found = faults(tmp_path, (pattern, new))
    assert any(where == place and reason in why for where, why in found), found


@pytest.mark.parametrize("table", ["die", "market_stall", "option", "limits", "troll", "shores"])
def test_1_4_a_table_of_the_wrong_kind_is_a_fault_and_no_crash(tmp_path, table):
    text = re.sub(rf"(?m)^\[\[?{table}(?=[.\]])", lambda m: m[0] + "_", TEXT)
    (tmp_path / "components.toml").write_text(f"{table} = 7\n{text}", "utf-8")
    with pytest.raises(InvalidData) as error:
        Champions(tmp_path)
    assert any(fault.place.startswith(table) for fault in error.value.faults)


def test_1_4_all_faults_at_once(tmp_path):
    found = faults(
        tmp_path,
        (r'color = "grey"', 'color = "pink"'),
        (r"count = 8\neffect", "count = 7\neffect"),
        (r'metric = "wood"', 'metric = "luck"'),
    )
    assert len(found) >= 3


def test_1_4_a_missing_or_broken_file_is_a_fault(tmp_path):
    with pytest.raises(InvalidData):
        Champions(tmp_path)
    (tmp_path / "components.toml").write_text("[[die", "utf-8")
    with pytest.raises(InvalidData):
        Champions(tmp_path)


# ---------------------------------------------------------------- the index of rules


def citations(folder: Path) -> set[str]:
    found: set[str] = set()
    for path in [*folder.rglob("*.py"), *folder.rglob("*.toml")]:
        if path.name not in ("rulebook.toml", "__init__.py"):
            text = path.read_text("utf-8")
            found.update(re.findall(r"CM-\d+(?:\.\d+)+|\bA-\d\d", text))
            names = re.findall(r"def test_(\d+(?:_\d+)+)(?=_[a-z])", text)
            found.update("CM-" + name.replace("_", ".") for name in names)
    return found


def test_17_every_rule_is_cited_or_says_why_there_is_nothing_to_do():
    tests = Path(__file__).parent
    engine = Path(str(files(PACKAGE)))
    runner = engine.parent / "conformance" / "champions"
    cited = citations(tests) | citations(engine) | citations(runner)
    rules = GAME.rulebook.rules
    assert [n for n, rule in rules.items() if n not in cited and not rule.nothing_to_do] == []
    assert [n for n in cited if n not in rules] == []


def test_18_the_index_is_complete():
    numbers = list(GAME.rulebook.rules)
    chapters = {1: 6, 2: 7, 3: 12, 4: 6, 5: 20, 6: 8, 7: 5, 8: 12, 9: 9, 10: 4, 11: 6, 12: 10}
    chapters |= {13: 5, 14: 12, 15: 6, 16: 5, 17: 7, 19: 10, 20: 5}
    for chapter, size in chapters.items():
        for k in range(1, size + 1):
            assert f"CM-{chapter}.{k}" in numbers
    assert [n for n in numbers if n.startswith("CM-4.2.")] == [f"CM-4.2.{k}" for k in range(1, 8)]
    assert [n for n in numbers if n.startswith("A-")] == [f"A-{k:02}" for k in range(1, 52)]
    assert len(numbers) == sum(chapters.values()) + 7 + 51


def test_1_4_every_component_says_where_it_comes_from():
    tables = tomllib.loads(TEXT)
    lacking = [
        (kind, entry.get("id"))
        for kind, entries in tables.items()
        if isinstance(entries, list)
        for entry in entries
        if entry.get("provenance") not in ("seed", "public", "reconstructed")
    ]
    assert lacking == []
