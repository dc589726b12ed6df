"""IG-1.4, IG-2 The component data: what it says, and what is wrong with a file of one's own."""

import copy
import tomllib
from importlib.resources import files

import pytest

from taflhall_engine.ice_garden.components_loader import read_components
from taflhall_engine.ice_garden.game import IceGarden
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.components import InvalidData
from taflhall_engine.kernel.rollout import rollout
from tests.engine.ice_garden.tables import GAME

TEXT = (files("taflhall_engine.ice_garden") / "data" / "components.toml").read_text("utf-8")
TABLES = tomllib.loads(TEXT)


def faults(change):
    tables = copy.deepcopy(TABLES)
    change(tables)
    with pytest.raises(InvalidData) as error:
        read_components(tables)
    return [(fault.place, fault.reason) for fault in error.value.faults]


def places(change):
    return [place for place, _ in faults(change)]


def test_ig_2_1_supplies_and_counts():
    components = GAME.components
    assert components.bank == [24, 22, 16, 10, 4, 2, 6]
    assert sum(components.upgrades) == 20
    assert (components.markers, components.reserves) == (20, 4)
    assert components.tiles == [0, 6, 6, 7, 8]


def test_ig_2_3_the_map_is_symmetric_and_survives_the_loss_of_any_three_regions():
    near = GAME.components.adjacent
    for gone in range(1 << 8):
        left = [r for r in range(8) if not gone >> r & 1]
        if len(left) < 5:
            continue
        seen, todo = set(), [left[0]]
        while todo:
            region = todo.pop()
            if region not in seen:
                seen.add(region)
                todo += [r for r in near[region] if r in left]
        assert seen == set(left)


def test_ig_2_4_ig_2_5_tiles_and_helms():
    components = GAME.components
    for players in (2, 3, 4):
        assert len(components.goods[players]) == 3 * (components.tiles[players] + 1)
        assert all(0 <= amount <= 2 for amount in components.goods[players])
        assert all(len(points) == players for points in components.points[players][1:])
    assert components.stage[1:] == [1, 1, 1, 2, 2, 2, 3, 3, 4, 4]
    assert components.red_ships[-2:] == [3, 4]
    assert components.cubes[1] == 3


def test_ig_2_7_ig_2_8_units_and_prices():
    components = GAME.components
    assert components.level == [1, 2, 3] * 4
    assert components.extra_reputation == [0, 0, 0, 2, *[0] * 8]
    assert components.price[:12] == [0, 1, 2, 1, 0, 1, 2, 0, 1, 0, 1, 1]


def test_an_asymmetric_map_is_named():
    def change(tables):
        tables["region"][0]["adjacent"].remove("r7")

    assert faults(change) == [
        ("region r1.adjacent", "asymmetric: lacks 'r7', which lists 'r1'"),
    ]


def test_an_unknown_id_is_named():
    def change(tables):
        tables["region"][0]["adjacent"].append("r9")
        tables["unit"][0]["printed"] = ["anger"]
        tables["faction"][3]["id"] = "odin"

    assert places(change) == [
        "region r1.adjacent",
        "faction[3].id",
        "faction",
        "unit moonlit_brother.printed",
    ]


def test_wrong_counts_are_named():
    def change(tables):
        del tables["tile"][0]
        tables["upgrade_markers"]["attack"] = 6
        tables["counts"]["region_tiles_three_players"] = 8
        tables["unit"][3]["count"] = 4
        tables["helm"][9]["red_ship"] = False

    assert places(change) == [
        "counts.region_tiles_three_players",
        "tile set 2",
        "helm",
        "helm 10.red_ship",
        "upgrade_markers",
        "unit crab.count",
    ]


@pytest.mark.parametrize("table", [t for t in TABLES if t not in ("meta", "option")])
def test_a_missing_table_is_named(table):
    assert any(table in place for place in places(lambda tables: tables.pop(table)))


@pytest.mark.parametrize(
    ("table", "index", "key", "value"),
    [
        ("tile", 3, "gold", 3),
        ("tile", 3, "vp", []),
        ("tile", 3, "number", 5),
        ("helm", 2, "ship", 4),
        ("helm", 2, "cubes", "many"),
        ("helm", 2, "stage", 2),
        ("action_field", 2, "slots_two_players", 0),
        ("unit", 2, "spy_slots", 1),
        ("unit", 7, "domination", []),
        ("unit", 7, "level", 3),
        ("upgrade", 0, "price", {"wood": 1}),
        ("vuko_tile", 0, "sides", ["round"]),
        ("solo_level", 0, "vuko_tiles", "no"),
        ("player_count", 2, "dead_snow_limit", -1),
    ],
)
def test_a_value_out_of_place_is_named(table, index, key, value):
    def change(tables):
        tables[table][index][key] = value

    assert places(change)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("action_costs", "attack_gold", -1),
        ("start", "population", 9),
        ("victory", "kill_vp_unit", "shields"),
        ("reputation", "values", ["safe", 0]),
        ("solo", "npc_pillage_die", {"1": "gold"}),
        ("solo", "npc_crossing_lower_region_die", [1, 2]),
        ("initiative", "stages", [3, 3, 2]),
    ],
)
def test_a_number_out_of_place_is_named(table, key, value):
    def change(tables):
        tables[table][key] = value

    assert any(place.startswith(table) for place in places(change))


def test_ig_1_4_an_owner_may_correct_reconstructed_values(tmp_path):
    text = (
        TEXT.replace("attack_gold = 2", "attack_gold = 3")
        .replace('adjacent = ["r1", "r4", "r6", "r8"]', 'adjacent = ["r1", "r4", "r6"]')
        .replace('adjacent = ["r2", "r4", "r5", "r6", "r7"]', 'adjacent = ["r2", "r4", "r5", "r6"]')
    )
    (tmp_path / "components.toml").write_text(text, encoding="utf-8")
    own = IceGarden(tmp_path)
    assert own.components.attack_cost == 3
    assert own.data_digest != GAME.data_digest
    for seed in range(4):
        s = own.new(Setup(seats=4), FastChance(seed))
        rollout(s, FastChance(seed), 10_000)
        assert own.result(s) is not None
        assert own.faults(s) == []


def test_a_folder_without_data_is_an_error(tmp_path):
    with pytest.raises(InvalidData):
        IceGarden(tmp_path)
