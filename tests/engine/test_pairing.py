"""Which groups of entrants meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import pytest

from taflhall_engine.pairing import (
    Block,
    Blocks,
    Field,
    free_for_all,
    gauntlet,
    groups_of,
    knockout,
    most_blocks,
    round_robin,
    swiss,
)


def field(entrants: int, size: int = 2, rounds: int = 1, teams: int = 0) -> Field:
    names = [f"{number:02}" for number in range(entrants)]
    of_team = {name: str(at % teams) for at, name in enumerate(names)} if teams else {}
    return Field(names, size, rounds, "seed", of_team)


def by_name(block: Block) -> Mapping[str, float]:
    """The lower name is better."""
    order = sorted(block.group)
    return {name: 1 - order.index(name) / (len(order) - 1) for name in order}


def all_of(blocks: Blocks) -> list[Block]:
    found = list(blocks)
    assert None not in found
    return [block for block in found if block is not None]


@pytest.mark.parametrize("entrants", range(2, 20))
@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_knockout_has_one_winner_with_any_number_of_entrants(entrants, size):
    if entrants < size:
        return
    reached: dict[str, int] = {}
    blocks = all_of(knockout(field(entrants, size), by_name, reached))
    assert all(len(set(block.group)) == size for block in blocks)
    assert len(blocks) <= most_blocks("knockout", entrants, size, 1)
    last = max(reached.values())
    assert [name for name, turn in reached.items() if turn == last] == ["00"]


def test_the_best_losers_fill_up_the_last_group_of_a_knockout():
    blocks = all_of(knockout(field(8, 4), by_name, {}))
    assert [block.group for block in blocks[:2]] == [
        ("00", "02", "04", "06"),
        ("01", "03", "05", "07"),
    ]
    assert set(blocks[2].group) == {"00", "01", "02", "03"}


def test_a_knockout_waits_for_a_round_but_not_for_one_tie_to_decide_another():
    known: dict[int, Mapping[str, float]] = {}
    blocks = knockout(field(4, 2, 3), lambda block: known.get(block.number), {})
    first = [next(blocks), next(blocks)]
    assert [block.number for block in first if block] == [0, 3]
    assert next(blocks) is None
    known[3] = dict.fromkeys(("01", "03"), 0.5)
    again = next(blocks)
    assert again is not None
    assert again.number == 4
    assert next(blocks) is None
    known[4], known[0] = {"01": 0.0, "03": 1.0}, {"00": 1.0, "02": 0.0}
    final = next(blocks)
    assert final is not None
    assert set(final.group) == {"00", "03"}


def test_a_tie_that_stays_one_goes_to_the_first_of_the_list():
    reached: dict[str, int] = {}
    blocks = all_of(knockout(field(2, 2, 3), lambda b: dict.fromkeys(b.group, 0.5), reached))
    assert len(blocks) == 3
    assert reached == {"00": 1}


@pytest.mark.parametrize(("entrants", "size"), [(5, 2), (7, 4), (4, 4)])
def test_in_a_free_for_all_everybody_plays_in_every_round_about_as_often(entrants, size):
    blocks = all_of(free_for_all(field(entrants, size, 6)))
    played = Counter(name for block in blocks for name in block.group)
    assert max(played.values()) - min(played.values()) <= 1
    for turn in range(1, 7):
        assert {n for b in blocks if b.round == turn for n in b.group} == set(played)
    assert len(blocks) == most_blocks("free_for_all", entrants, size, 6)


@pytest.mark.parametrize("format", [round_robin, gauntlet, free_for_all])
def test_members_of_a_team_never_meet(format):
    blocks = all_of(format(field(9, 3, 2, teams=3)))
    assert blocks
    for block in blocks:
        assert len({int(name) % 3 for name in block.group}) == 3


def test_a_swiss_asks_for_a_round_at_a_time_and_notes_byes():
    byes: Counter[str] = Counter()
    known: dict[int, Mapping[str, float]] = {}
    blocks = swiss(field(5, 2, 2), lambda block: known.get(block.number), byes)
    first = [next(blocks), next(blocks)]
    assert next(blocks) is None
    known |= {block.number: by_name(block) for block in first if block}
    second = [next(blocks), next(blocks)]
    assert {block.round for block in second if block} == {2}
    assert sum(byes.values()) == 2
    assert max(byes.values()) == 1


def test_groups_repeat_no_meeting_that_can_be_avoided():
    met = Counter({frozenset(pair): 1 for pair in [("a", "b"), ("c", "d")]})
    groups = groups_of(["a", "b", "c", "d"], 2, met)
    assert all(not met[frozenset(pair)] for group in groups for pair in combinations(group, 2))


@pytest.mark.parametrize("format", ["round_robin", "gauntlet", "swiss"])
def test_the_number_of_blocks_is_known_before(format):
    entered = field(7, 3, 2)
    blocks = {
        "round_robin": lambda: round_robin(entered),
        "gauntlet": lambda: gauntlet(entered),
        "swiss": lambda: swiss(entered, by_name, Counter()),
    }[format]
    assert len(all_of(blocks())) == most_blocks(format, 7, 3, 2)
