"""CM-17.6 Answers given in several steps admit exactly the logical answers, each in one way."""

from itertools import product

import pytest

from taflhall_engine.champions.rules.assignment import AssignWarriors, admits
from taflhall_engine.champions.rules.market import VISIT_MARKET
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.rolling import REROLL, PickDie, PostRoll
from taflhall_engine.champions.rules.ships import capacity_of
from taflhall_engine.kernel.agenda import advance, apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance, ScriptedChance
from taflhall_engine.kernel.drafts import unfinished
from tests.engine.champions.tables import GAME, legal, started


def ends(s, kind, seat):
    """Return every table to which the half-given answer can lead, with the plies it takes."""
    found = []
    for command in options(s, seat):
        twin = s.copy()
        apply(twin, seat, command)
        if unfinished(twin):
            found += [(end, plies + 1) for end, plies in ends(twin, kind, seat)]
        else:
            found.append((twin, 1))
    return found


def market(goods):
    s = started(1, seats=2, start_seat=0)
    s.clans[0].goods = list(goods)
    s.legal = None
    return s


@pytest.mark.parametrize("goods", [(1, 0, 0), (0, 2, 1), (2, 2, 2), (3, 0, 4), (0, 0, 5)])
def test_5_8_the_market_admits_every_exchange_once(goods):
    s = market(goods)
    assert isinstance(waiting(s), PlaceWorker)
    apply(s, 0, VISIT_MARKET)
    reached = [tuple(end.clans[0].goods) for end, _ in ends(s, PlaceWorker, 0)]
    total = sum(goods)
    wanted = []
    for food, wood in product(range(total + 1), repeat=2):
        after = (food, wood, total - food - wood)
        if min(after) >= 0 and after != goods:
            wanted.append(after)
    assert sorted(reached) == sorted(wanted)


def test_17_6_no_list_of_exchanges_is_too_long_for_any_reachable_wealth():
    s = market((60, 60, 100))
    apply(s, 0, VISIT_MARKET)
    assert len(options(s, 0)) <= 256


def assigning(posts, warriors, food):
    """A table at which seat 0 assigns: to the troll (post 0), draugr (1, 2) and ships (3 to 6)."""
    s = started(2, seats=2, start_seat=0)
    for post in posts:
        s.post_seat[post] = 0
        s.post_ship[post] = 16 if post > 2 else -1
    s.clans[0].warriors = list(warriors)
    s.clans[0].goods[0] = food
    s.components = GAME.components
    s.agenda = [AssignWarriors(0)]
    s.legal = None
    return s


def may_assign(s, posts, cells, owned):
    """CM-6.3 Return whether this many of each type, and food, may go to each of the posts."""
    groups = {post: cells[4 * i : 4 * i + 4] for i, post in enumerate(posts)}
    if any(sum(group[k] for group in groups.values()) > owned[k] for k in range(4)):
        return False
    for post, group in groups.items():
        if post > 2 and sum(group) > capacity_of(s, post):
            return False
        banned = any(group[k] and not admits(s, post, k) for k in range(3))
        if banned or (post <= 2 and group[3]):
            return False
    return True


@pytest.mark.parametrize(
    ("posts", "warriors", "food"),
    [
        ([0], [1, 1, 1], 3),
        ([4], [2, 0, 1], 2),
        ([4], [3, 1, 1], 4),
        ([1, 4], [2, 0, 1], 2),
        ([0, 1], [1, 0, 2], 0),
        ([4, 5], [1, 0, 0], 2),
    ],
)
def test_6_2_an_assignment_reaches_every_legal_one_once(posts, warriors, food):
    s = assigning(posts, warriors, food)
    if 5 in posts:
        s.post_ship[5] = 17
    places = [[*(range(n + 1) for n in warriors), range(food + 1)] for _ in posts]
    cells = product(*[cell for place in places for cell in place])
    wanted = [c for c in cells if may_assign(s, posts, c, [*warriors, food])]
    advance(s)
    reached = []
    for end, _ in ends(s, AssignWarriors, 0):
        row: list[int] = []
        for post in posts:
            row += [*end.crew[3 * post : 3 * post + 3], end.rations[post]]
        reached.append(tuple(row))
        assert end.clans[0].goods[0] == food - sum(end.rations)
    assert sorted(reached) == sorted(wanted)


def test_6_1_a_seat_without_a_choice_is_not_asked():
    s = assigning([0], [2, 0, 0], 5)
    s.troll = next(e for e in range(16) if GAME.components.bans[e] & 1)
    advance(s)
    assert waiting(s) is None
    ship = assigning([4], [0, 0, 0], 0)
    advance(ship)
    assert waiting(ship) is None


def rolled(roll, favour=1):
    """A table in the window after a hunter's roll: how many dice of each type times face."""
    s = started(3, seats=2, start_seat=0)
    s.clans[0].favour = favour
    s.roll = list(roll)
    s.agenda = [PostRoll(0)]
    s.legal = None
    return s


ROLLS = [
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [2, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0],
    [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0],
]


@pytest.mark.parametrize("roll", ROLLS)
def test_8_3_a_reroll_lists_every_distinct_set_of_dice_once(roll):
    s = rolled(roll)
    chosen = []

    def go(table, picked):
        for command in options(table, 0):
            if command == REROLL:
                chosen.append(tuple(picked))
            elif isinstance(command, PickDie):
                twin = table.copy()
                twin.chance = ScriptedChance([], [], [])
                pick = command.warrior * 4 + command.face
                try:
                    apply(twin, 0, command)
                except Exception:  # the last die answers itself, and no roll is scripted
                    chosen.append((*picked, pick))
                else:
                    go(twin, [*picked, pick])

    go(s, [])
    sets = list(product(*[range(n + 1) for n in roll]))
    wanted = [tuple(k for k, n in enumerate(some) for _ in range(n)) for some in sets if any(some)]
    assert sorted(chosen) == sorted(wanted)


def test_8_3_favour_is_spent_when_the_choice_is_confirmed():
    s = rolled(ROLLS[1])
    [picks] = [[c for c in legal(s) if isinstance(c, PickDie)]]
    apply(s, 0, picks[0])
    assert s.clans[0].favour == 1
    apply(s, 0, REROLL)
    assert s.clans[0].favour == 0
    assert s.clans[0].favour_spent == 1
    assert sum(s.roll) == sum(ROLLS[1])


def test_17_6_no_option_list_is_longer_than_256_and_no_chain_endless():
    longest = 0
    for seed in range(12):
        s = started(seed, seats=2 + seed % 3)
        for clan in s.clans:
            clan.goods = [20, 20, 40]
            clan.runes = 1 | 1 << 4 | 1 << 7 | 1 << 9
        s.legal = None
        rng = FastChance(seed)
        chain = 0
        while s.agenda:
            [seat] = asked(s)
            listed = options(s, seat)
            longest = max(longest, len(listed))
            apply(s, seat, listed[rng.below(len(listed))])
            chain = chain + 1 if unfinished(s) else 0
            assert chain < 30
    assert longest <= 256
