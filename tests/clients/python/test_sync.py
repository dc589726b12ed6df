"""The blocking client: the same shape as the asynchronous one."""

import inspect
import threading

import pytest

from taflhall_client import async_client, errors, sync
from taflhall_client.bots.random import Random
from taflhall_client.results import SeatKind, Status
from taflhall_engine import registry
from taflhall_engine.kernel.replay import replay

GAME = registry.game("yggdrasil")


@pytest.fixture
def client(address):
    with sync.Client(address) as client:
        yield client


def shape(kind):
    """The public methods of a class with their parameters."""
    return {
        name: list(inspect.signature(method).parameters)
        for name, method in vars(kind).items()
        if inspect.isfunction(method) and not name.startswith("_")
    }


@pytest.mark.parametrize("kind", ["Client", "Match"])
def test_both_clients_have_one_shape(kind):
    there, here = shape(getattr(async_client, kind)), shape(getattr(sync, kind))
    own = ("call", "open", "notice", "patience_for", "failure", "explained", "decoder")
    for name in (*own, "game_or_none"):
        there.pop(name, None)
    if kind == "Match":
        there["play"].remove("in_thread")
    assert there == here


def test_a_match_from_start_to_end(client):
    match = client.create("yggdrasil", {"seats": 1}, title="alone", start_when_full=True)
    ann = match.join("Ann")
    decision = ann.decision()
    assert decision is not None
    assert ann.explain(decision.options[0]).legal
    submitted = ann.submit(decision.options[0])
    assert submitted.revision == 1
    assert ann.get(view=True).view is not None
    info = ann.play(Random(GAME))
    assert info.status is Status.FINISHED
    assert replay(GAME, match.record()).result == info.result
    assert ann.view_at(0).revision == 0
    assert match.match_id in [m.match_id for m in client.matches(limit=20)]


def test_options_go_on_with_an_answer_in_steps_until_the_match_is_over(client):
    match = client.create("yggdrasil", {"gods": ["odin", "freyja"]})
    ann = match.join("Ann", seats=[0, 1])
    match.start()
    steps = 0
    while decision := ann.decision():
        steps += 1
        assert steps < 3000
        submitted = ann.submit(decision.options[0])
        if submitted.decision is not None and submitted.decision.decision_id.startswith(
            f"{decision.decision_id}."
        ):
            first = ann.decision(again=True)
            assert first is not None
            assert first.decision_id == decision.decision_id.split(".")[0]
            ann.submit(decision.options[0], decision)
    assert match.get().match.status is Status.FINISHED


def test_a_watch_is_an_iterator_that_ends_with_the_match(client):
    match = client.create("yggdrasil", {"seats": 1}, start_when_full=True)
    player = match.join("Ann", kind=SeatKind.BOT)
    playing = threading.Thread(target=player.play, args=(Random(GAME),))
    updates = match.watch(view=False)
    first = next(updates)
    assert first.match is not None
    playing.start()
    rest = list(updates)
    playing.join()
    assert rest[-1].status is Status.FINISHED
    assert [u.revision for u in rest] == sorted(u.revision for u in rest)


def test_a_watch_may_be_left(client):
    match = client.create("yggdrasil", {"seats": 1})
    for update in match.watch():
        assert update.match is not None
        break


def test_errors_come_through(client):
    with pytest.raises(errors.MatchNotFound):
        client.match("nowhere").get()
    with pytest.raises(registry.UnknownGame):
        client.create("chess")


def test_a_closed_client_leaves_no_thread(address):
    before = threading.active_count()
    with sync.Client(address) as client:
        client.games()
        assert threading.active_count() > before
    assert not [t for t in threading.enumerate() if t.name == "taflhall-client"]


def test_a_watch_may_outlive_its_client(address):
    with sync.Client(address) as client:
        updates = client.create("yggdrasil", {"seats": 1}).watch()
        next(updates)
    updates.close()
