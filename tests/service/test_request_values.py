"""What a request's messages mean, and which of them mean nothing."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from taflhall.champions.v1 import champions_pb2 as champions
from taflhall.ice_garden.v1 import ice_garden_pb2 as ice_garden
from taflhall.v1 import catalog_service_pb2 as catalog
from taflhall.v1 import match_pb2, match_service_pb2, table_pb2
from taflhall_engine import registry
from taflhall_engine.champions.setup import Setup
from taflhall_engine.kernel.record import FORMAT
from taflhall_engine.kernel.setups import to_data
from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.errors import Malformed, Refused, UnknownGame, WrongGame
from taflhall_service.app.matches.table_update import CommandAnswer
from taflhall_service.app.model.clocks import TimeControl, TimeoutPolicy
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.spectator_policy import (
    MAX_DELAY_MS,
    MIN_DELAY_MS,
    SpectatorPolicy,
    SpectatorSettings,
)
from taflhall_service.app.ports.match_store import FINGERPRINT_BYTES
from taflhall_service.app.spectating.match_list import MatchFilter
from taflhall_service.rpc.requests import (
    answers_of,
    command_of,
    fingerprint,
    game_named,
    game_of,
    kind_of,
    language_of,
    match_filter_of,
    record_of,
    seat_of,
    setup_of,
    spectators_of,
    time_control_of,
    view_of,
)
from tests.service.requests.matches import account

CHAMPIONS = registry.game("champions")
LONGHOUSE = champions.Command(visit_longhouse=champions.VisitLonghouse())
UNKNOWN = 99
"""A number that no enumeration has."""


def malformed(call: Any, *given: Any) -> tuple[str, str]:
    """Return where a request is malformed, and what was expected there."""
    with pytest.raises(Refused) as refused:
        call(*given)
    assert type(refused.value) is Malformed
    return refused.value.metadata["field"], refused.value.metadata["expected"]


GAMES = f"one of {', '.join(registry.GAMES)}"


def test_a_game_is_named():
    assert game_named("champions") is CHAMPIONS
    assert malformed(game_named, "") == ("game", GAMES)
    assert malformed(game_named, "", "setup.game") == ("setup.game", GAMES)
    with pytest.raises(UnknownGame) as refused:
        game_named("x" * 65)
    assert refused.value.metadata == {"game": "x" * 64, "games": ",".join(registry.GAMES)}


def test_a_setup_is_of_the_game_that_it_names_or_has_options_of():
    options = champions.Setup()
    for message in (
        table_pb2.Setup(game="champions"),
        table_pb2.Setup(champions=options),
        table_pb2.Setup(game="champions", champions=options),
    ):
        assert setup_of(message) == (CHAMPIONS, Setup())
    assert setup_of(table_pb2.Setup(game="champions", seats=3))[1] == Setup(3)
    assert malformed(setup_of, table_pb2.Setup()) == ("setup.game", GAMES)
    with pytest.raises(WrongGame) as refused:
        setup_of(table_pb2.Setup(game="champions", ice_garden=ice_garden.Setup()))
    assert refused.value.metadata == {"game": "champions", "found": "ice_garden"}


def test_a_command_is_of_the_game_whose_field_is_set():
    found = command_of(table_pb2.Command(champions=LONGHOUSE), "answers[0].command")
    assert found.game == "champions"
    assert type(found.command).__name__ == "VisitLonghouse"
    assert malformed(command_of, table_pb2.Command(), "here") == ("here", GAMES)
    empty = table_pb2.Command(champions=champions.Command())
    assert malformed(command_of, empty, "here") == ("here", "a command of champions")


def recorded() -> match_pb2.MatchRecord:
    """The record of a match of one command, which a seat left and the server then ended."""
    message = match_pb2.MatchRecord(start_digest=b"\1")
    match = message.match
    match.setup.champions.SetInParent()
    match.setup.seats = 2
    match.rules_version, match.data_digest = "7", b"\2"
    match.secret, match.secret_digest = b"\3", b"\4"
    match.result.seats.add(won=True, place=1)
    for name in ("Ann", "Bob"):
        match.seats.add(name=name)
    command = table_pb2.Command(champions=LONGHOUSE)
    message.commands.add(seat=1, commands=[command], digest=b"\5")
    message.commands.add(seat=0, commands=[command, command], digest=b"\6")
    message.commands.add(seat=0, meta_command=match_pb2.META_COMMAND_RESIGN, digest=b"\7")
    message.commands.add(meta_command=match_pb2.META_COMMAND_ABANDON, digest=b"\x08")
    return message


def test_a_record_says_what_its_message_does():
    game, record = record_of(recorded())
    assert game is CHAMPIONS
    assert record == {
        "format": FORMAT,
        "game": "champions",
        "rules_version": "7",
        "data_digest": "02",
        "setup": to_data(CHAMPIONS, Setup(2)),
        "seats": ["Ann", "Bob"],
        "secret": "03",
        "secret_digest": "04",
        "start_digest": "01",
        "commands": [
            [1, "visit_longhouse"],
            [0, "visit_longhouse; visit_longhouse"],
            [0, "resign"],
            [-1, "abandon"],
        ],
        "digests": ["05", "06", "07", "08"],
        "result": {"won": [True], "places": [1], "scores": [], "reasons": []},
    }


def test_a_record_with_a_command_that_says_nothing_is_malformed():
    for wrong in (table_pb2.Command(), table_pb2.Command(champions=champions.Command())):
        message = recorded()
        message.commands[0].commands[0].CopyFrom(wrong)
        assert malformed(record_of, message) == ("record", "a record of champions")


def test_the_game_of_a_message_is_that_of_its_field():
    assert game_of(table_pb2.Command(champions=LONGHOUSE), "command") is CHAMPIONS
    assert malformed(game_of, table_pb2.Command(), "command") == ("command", GAMES)


def test_a_view_is_of_the_game_that_is_asked_about():
    shared = table_pb2.PublicView(ice_garden=ice_garden.PublicView())
    with pytest.raises(WrongGame) as refused:
        view_of(CHAMPIONS, table_pb2.View(shared=shared))
    assert refused.value.metadata == {"game": "champions", "found": "ice_garden"}
    assert malformed(view_of, CHAMPIONS, table_pb2.View()) == ("view", "a view of champions")


def test_clocks_run_as_long_as_is_said_to_the_millisecond():
    said = match_pb2.TimeControl(
        base=Duration(seconds=60),
        increment=Duration(nanos=250_000_000),
        per_decision=Duration(seconds=-1, nanos=-500_000_000),
        on_timeout=match_pb2.TIMEOUT_POLICY_FORFEIT,
    )
    assert time_control_of(said) == TimeControl(60_000, 250, -1500, TimeoutPolicy.FORFEIT)
    assert time_control_of(match_pb2.TimeControl()) == TimeControl(0, 0, 0, TimeoutPolicy.NEUTRAL)
    odd = match_pb2.TimeControl(on_timeout=UNKNOWN)  # type: ignore[arg-type]
    assert malformed(time_control_of, odd) == ("time_control.on_timeout", "a TimeoutPolicy")


@pytest.mark.parametrize("name", ["base", "increment", "per_decision"])
@pytest.mark.parametrize(
    ("seconds", "nanos", "valid"),
    [
        (1, 999_999_999, True),
        (-1, -999_999_999, True),
        (0, -999_999_999, True),
        (1, 1_000_000_000, False),
        (-1, -1_000_000_000, False),
        (1, -1, False),
        (-1, 1, False),
    ],
)
def test_the_parts_of_a_length_of_time_have_one_sign(name, seconds, nanos, valid):
    length = Duration(seconds=seconds, nanos=nanos)
    said = match_pb2.TimeControl()
    getattr(said, name).CopyFrom(length)
    if valid:
        assert time_control_of(said) is not None
    else:
        assert malformed(time_control_of, said)[0] == f"time_control.{name}"


def spectators(policy: Any = 0, ms: int | None = None) -> match_pb2.SpectatorSettings:
    said = match_pb2.SpectatorSettings(policy=policy)
    if ms is not None:
        said.delay.FromMilliseconds(ms)
    return said


def test_spectators_see_a_match_at_once_late_or_never():
    for policy in (0, match_pb2.SPECTATOR_POLICY_PUBLIC):
        assert spectators_of(spectators(policy)) == SpectatorSettings(SpectatorPolicy.PUBLIC, 0)
    assert spectators_of(spectators(match_pb2.SPECTATOR_POLICY_NONE)).policy == SpectatorPolicy.NONE
    for ms in (MIN_DELAY_MS, MAX_DELAY_MS):
        late = spectators(match_pb2.SPECTATOR_POLICY_DELAYED, ms)
        assert spectators_of(late) == SpectatorSettings(SpectatorPolicy.DELAYED, ms)


@pytest.mark.parametrize(
    ("policy", "ms", "field"),
    [
        (UNKNOWN, None, "policy"),
        (match_pb2.SPECTATOR_POLICY_PUBLIC, 1000, "delay"),
        (match_pb2.SPECTATOR_POLICY_NONE, 0, "delay"),
        (match_pb2.SPECTATOR_POLICY_DELAYED, None, "delay"),
        (match_pb2.SPECTATOR_POLICY_DELAYED, MIN_DELAY_MS - 1, "delay"),
        (match_pb2.SPECTATOR_POLICY_DELAYED, MAX_DELAY_MS + 1, "delay"),
    ],
)
def test_only_who_sees_a_match_late_does_so_by_a_delay(policy: Any, ms: int | None, field: str):
    assert malformed(spectators_of, spectators(policy, ms))[0] == f"spectators.{field}"


def asked(**fields: Any) -> match_service_pb2.ListMatchesRequest:
    return match_service_pb2.ListMatchesRequest(**fields)


def test_a_list_without_a_filter_has_all_matches_newest_first():
    assert match_filter_of(asked(), ANONYMOUS) == MatchFilter()


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"game": "champions"}, {"game": "champions"}),
        ({"status": match_pb2.MATCH_STATUS_OPEN}, {"status": "open"}),
        ({"account_id": "bob"}, {"account": "bob"}),
        ({"account_id": "me"}, {"account": "ann"}),
        ({"creator_account_id": "bob"}, {"creator": "bob"}),
        ({"creator_account_id": "me"}, {"creator": "ann"}),
        ({"seat": match_service_pb2.SEAT_FILTER_FREE}, {"free_seat": True}),
        (
            {"seat": match_service_pb2.SEAT_FILTER_TO_DECIDE, "account_id": "bob"},
            {"to_decide": True, "account": "bob"},
        ),
        (
            {"seat": match_service_pb2.SEAT_FILTER_INVITED, "account_id": "bob"},
            {"invited": True, "account": "bob"},
        ),
        ({"labels": {"b": "2", "a": "1"}}, {"labels": (("a", "1"), ("b", "2"))}),
        ({"text": "Winter"}, {"words": ("winter",)}),
        ({"order": match_service_pb2.MATCH_ORDER_OLDEST_FIRST}, {"oldest_first": True}),
        ({"order": match_service_pb2.MATCH_ORDER_NEWEST_FIRST}, {}),
    ],
)
def test_each_field_of_a_filter_has_its_meaning(fields: Any, wanted: dict[str, Any]):
    assert match_filter_of(asked(**fields), account("ann")) == MatchFilter(**wanted)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"status": UNKNOWN}, "status"),
        ({"seat": UNKNOWN}, "seat"),
        ({"order": UNKNOWN}, "order"),
        ({"seat": match_service_pb2.SEAT_FILTER_TO_DECIDE}, "account_id"),
        ({"seat": match_service_pb2.SEAT_FILTER_INVITED}, "account_id"),
    ],
)
def test_a_filter_that_means_nothing_is_refused(fields: Any, field: str):
    assert malformed(match_filter_of, asked(**fields), ANONYMOUS)[0] == field


def test_only_a_game_that_is_played_here_is_filtered_by():
    with pytest.raises(UnknownGame):
        match_filter_of(asked(game="chess"), ANONYMOUS)


def test_answers_are_options_or_commands():
    answer = match_service_pb2.DecisionAnswer
    option, command = answer(option=0), answer(command=table_pb2.Command(champions=LONGHOUSE))
    first, second = answers_of([option, command], Limits(answers=2))
    assert first == 0
    assert isinstance(second, CommandAnswer)
    for number in (1, 3):
        assert answers_of([option] * number) == [0] * number
    assert malformed(answers_of, [option] * 3, Limits(answers=2)) == ("answers", "1 to 2 answers")
    assert malformed(answers_of, [])[0] == "answers"
    assert malformed(answers_of, [option, answer()])[0] == "answers[1]"
    nothing = answer(command=table_pb2.Command())
    assert malformed(answers_of, [option, nothing])[0] == "answers[1].command"


def test_texts_are_asked_for_by_a_language_tag():
    def in_language(tag: str) -> catalog.GetGameRequest:
        return catalog.GetGameRequest(language=tag)

    assert language_of(in_language("")) == ""
    assert language_of(in_language("de-AT")) == "de"
    assert language_of(in_language("x" * 35)) == language_of(in_language("xx")) == "en"
    assert malformed(language_of, in_language("x" * 36)) == ("language", "0 to 35 characters")


def test_a_kind_of_seat_is_one_of_the_contract():
    for kind in match_pb2.SeatKind.values():
        assert kind_of(kind) == kind
    assert malformed(kind_of, UNKNOWN)[0] == "kind"


def test_a_seat_may_be_left_out():
    assert seat_of(match_service_pb2.GetMatchViewRequest()) is None
    assert seat_of(match_service_pb2.GetMatchViewRequest(seat=0)) == 0


def test_a_fingerprint_is_that_of_the_method_and_the_meaning():
    labels = {f"label {number}": "x" for number in range(100)}
    message = asked(game="champions", labels=labels)
    same = asked(labels=dict(reversed(labels.items())))
    same.game = "champions"
    one = fingerprint("List", message)
    assert len(one) == FINGERPRINT_BYTES
    assert fingerprint("List", same) == one
    assert fingerprint("Other", message) != one
    assert fingerprint("List", asked(game="champions")) != one
    newer = asked()
    newer.ParseFromString(message.SerializeToString() + b"\xf8\x7f\x01")
    assert fingerprint("List", newer) == one
