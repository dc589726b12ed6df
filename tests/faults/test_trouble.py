"""G6, G11 and G5 under the other troubles: rewinds, lost hints, drains, failovers, bad stores."""

from __future__ import annotations

import asyncio

from tests.faults.scenarios.draining import drain
from tests.faults.scenarios.hints import without_hints
from tests.faults.scenarios.returning import returning
from tests.faults.scenarios.rewind import rewind
from tests.faults.scenarios.rolling import rolling
from tests.faults.scenarios.slow import slow
from tests.faults.scenarios.stores import stores
from tests.faults.scenarios.terms import terms
from tests.faults.scenarios.topologies import cluster, failover


def test_every_watcher_learns_of_a_rewound_history(settle):
    least = {"tokens resumed over a rewind": 6, "open watches rewound": 3}
    settle(asyncio.run(rewind(3)), **least)


def test_watchers_arrive_though_every_hint_is_lost(settle):
    settle(asyncio.run(without_hints(2)), **{"messages watched": 50, "commands": 20})


def test_a_drain_with_a_frozen_client_ends_within_its_grace_and_a_second(settle):
    settle(asyncio.run(drain()), drains=1, commands=20)


def test_servers_are_replaced_one_by_one_and_users_of_the_sdk_see_nothing(settle):
    settle(asyncio.run(rolling()), **{"replacements": 3, "answers to stock users": 10})


def test_servers_are_killed_one_by_one_and_users_of_the_sdk_see_nothing(settle):
    settle(
        asyncio.run(rolling(kill=True, seed=2)),
        **{"kills of a server": 3, "answers to stock users": 10},
    )


def test_a_store_keeps_what_it_says_or_is_refused(settle):
    settle(asyncio.run(stores()), **{"weak stores tried": 2, "calls about a newer match": 6})


def test_a_failover_loses_nothing_that_copies_confirmed(settle):
    settle(asyncio.run(failover()), failovers=1, commands=20)


def test_a_cluster_loses_nothing_when_its_nodes_are_killed(settle):
    settle(asyncio.run(cluster(2)), **{"kills of a cluster's node": 2, "commands": 20})


def test_clients_that_do_not_read_cost_little_and_keep_nobody_waiting(settle):
    settle(
        asyncio.run(slow(100)),
        **{"watches of frozen clients": 100, "commands past frozen clients": 20},
    )


def test_everybody_comes_back_when_a_server_dies(settle):
    settle(asyncio.run(returning(200)), **{"watchers who came back": 200})


def test_seats_spectators_and_keys_may_do_what_is_allowed_and_nothing_else(settle):
    least = {"answers taken back": 20, "late looks": 100, "keys revoked": 1}
    settle(asyncio.run(terms()), **least)
