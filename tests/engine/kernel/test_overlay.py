"""Corrections of component data: what is merged, and what is refused."""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.overlay import merged, unknown_ids, unknown_keys

SHIPPED: dict[str, Any] = {
    "die": {"sides": 6, "names": {"en": "die"}},
    "faces": [1, 2, 3],
    "none": [],
    "good": [{"id": "amber", "price": 4, "rare": True}, {"id": "salt", "price": 2}],
    "row": [{"width": 3}, {"width": 4}],
}


def test_single_values_are_replaced_at_any_depth_and_whole_lists_as_one():
    found = merged(
        SHIPPED,
        {
            "die": {"names": {"en": "dice"}},
            "faces": [4],
            "none": [1],
            "good": [{"id": "salt", "price": 3}],
        },
    )
    assert found == {
        **SHIPPED,
        "die": {"sides": 6, "names": {"en": "dice"}},
        "faces": [4],
        "none": [1],
        "good": [{"id": "amber", "price": 4, "rare": True}, {"id": "salt", "price": 3}],
    }
    assert SHIPPED["good"][1] == {"id": "salt", "price": 2}


def test_a_value_of_another_kind_takes_the_place_of_what_was_there():
    assert merged(SHIPPED, {"die": 7})["die"] == 7
    assert merged(SHIPPED, {"faces": {"one": 1}})["faces"] == {"one": 1}
    assert merged(SHIPPED, {"good": []})["good"] == []
    assert merged(SHIPPED, {"good": ["amber"]})["good"] == ["amber"]
    assert merged(SHIPPED, {"good": 7})["good"] == 7
    mixed = [{"id": "salt", "price": 3}, 7]
    assert merged(SHIPPED, {"good": mixed})["good"] == mixed
    assert merged(SHIPPED, {"faces": [{"id": "x"}]})["faces"] == [{"id": "x"}]


def test_every_unknown_key_is_named_with_its_place():
    wrong = {
        "dye": 1,
        "die": {"side": 5, "names": {"fr": "x"}},
        "faces": {"one": 1},
        "good": [{"id": "salt", "prize": 3}, {"id": "tin", "rare": False}],
    }
    found = [place for place, _ in unknown_keys(SHIPPED, wrong)]
    assert found == ["dye", "die.side", "die.names.fr", "good.salt.prize"]
    assert list(unknown_keys(SHIPPED, {"die": 7, "good": [1], "faces": [{"id": 1}]})) == []


def test_every_unknown_id_is_named_with_its_place():
    wrong = {"good": [{"id": "tin"}, {"price": 1}, {"id": "salt"}], "die": {"names": {"en": "x"}}}
    found = [place for place, _ in unknown_ids(SHIPPED, wrong)]
    assert found == ["good.tin", "good"]
    deep = {"box": SHIPPED}
    assert [place for place, _ in unknown_ids(deep, {"box": wrong})] == ["box.good.tin", "box.good"]
    assert list(unknown_ids(SHIPPED, {"die": 7, "good": [1], "faces": [{"id": 1}]})) == []
    assert list(unknown_ids(SHIPPED, {"faces": {"one": 1}, "dye": {"sides": 1}})) == []
