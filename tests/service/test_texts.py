"""Texts for people: every option, decision, event and result has one in the language asked for."""

import json

import pytest

from taflhall.v1 import catalog_service_pb2, match_pb2, table_pb2
from taflhall.v1 import engine_service_pb2 as engine
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_wire.translate import translator
from tests.engine.every_game import setups
from tests.service.local_server import LocalServer, bearer, refused

GAMES = list(registry.GAMES)


@pytest.mark.parametrize("language", ["", "en", "de-AT"])
async def test_options_and_decisions_have_texts_in_the_language_asked_for(
    server: LocalServer, language
):
    table = await server.table(1, 1)
    request = pb.GetMatchRequest(match_id=table.id, with_options=True, language=language)
    got = await server.match.GetMatch(request, metadata=bearer(table.secrets[0]))
    [decision] = got.decisions
    assert bool(decision.text) == bool(language)
    assert decision.options
    for option in decision.options:
        assert option.rule
        assert bool(option.text) == bool(language)


async def test_a_language_without_texts_is_served_in_english(server: LocalServer):
    table = await server.table(1, 1)
    texts = {}
    for language in ("tlh", "en", "de"):
        request = pb.GetMatchRequest(match_id=table.id, with_options=True, language=language)
        got = await server.match.GetMatch(request, metadata=bearer(table.secrets[0]))
        texts[language] = [option.text for option in got.decisions[0].options]
    assert texts["tlh"] == texts["en"] != texts["de"]


async def test_a_language_tag_that_is_too_long_is_refused(server: LocalServer):
    table = await server.table(1, 1)
    request = pb.GetMatchRequest(match_id=table.id, language="x" * 36)
    refusal = await refused(server.match.GetMatch(request))
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "language")


async def test_an_answer_and_a_watch_describe_events_in_words(server: LocalServer):
    table = await server.table(1, 1)
    watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id, language="en"))
    assert (await watch.read()).snapshot.decisions[0].text
    decision = await table.decision()
    request = pb.SubmitAnswersRequest(
        match_id=table.id,
        decision_id=decision.id,
        request_id="in words",
        answers=[pb.DecisionAnswer(option=0)],
        with_options=True,
        language="en",
    )
    done = await server.match.SubmitAnswers(request, metadata=bearer(table.secrets[0]))
    assert all(event.text for event in done.events)
    assert all(option.text for option in done.decision.options)
    seen = (await watch.read()).change
    assert seen.events[0].text == done.events[0].text
    watch.cancel()


async def test_a_bot_can_be_prompted_in_words(server: LocalServer):
    table = await server.table(1, 1)
    play = server.match.Play(metadata=bearer(table.secrets[0]))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id, language="de")))
    prompt = (await play.read()).prompt
    assert prompt.decision.text
    assert all(option.text for option in prompt.decision.options)
    play.cancel()


@pytest.mark.parametrize("game", GAMES)
async def test_a_result_says_for_each_seat_how_it_ended(server: LocalServer, game):
    played_here = registry.game(game)
    chosen = played_here.setup_kind(**setups.trial(game).usual[0])
    setup = translator(played_here).setup_to(chosen)
    made = await server.engine.SetUpTable(engine.SetUpTableRequest(setup=setup, seed=3))
    rollout = engine.RolloutRequest(tables=[made.table], seed=5, language="en")
    [played] = (await server.engine.Rollout(rollout)).rollouts
    assert played.result.reasons[0].text
    for index, seat in enumerate(played.result.seats):
        assert seat.seat == index
        assert seat.place >= 1
        assert seat.text


async def test_an_abandoned_match_has_a_result_without_places(server: LocalServer):
    table = await server.table(1, 1)
    request = pb.AbandonMatchRequest(match_id=table.id, request_id="enough")
    match = (await server.match.AbandonMatch(request, metadata=bearer(table.secrets[0]))).match
    assert match.status == match_pb2.MATCH_STATUS_ABANDONED
    assert [seat.place for seat in match.result.seats] == [0]


async def test_the_catalogue_is_in_the_language_asked_for(server: LocalServer):
    for language, title in (("", ""), ("en", "Champions of Midgard")):
        request = catalog_service_pb2.GetGameRequest(game="champions", language=language)
        got = await server.catalog.GetGame(request)
        assert got.game.title == title
        assert all(bool(rule.text) == bool(language) for rule in got.rules)
        assert all(bool(component.name) == bool(language) for component in got.components)


async def test_the_catalogue_describes_every_field_of_a_setup(server: LocalServer):
    request = catalog_service_pb2.ListGamesRequest(language="de")
    for info in (await server.catalog.ListGames(request)).games:
        whole = await server.catalog.GetGame(catalog_service_pb2.GetGameRequest(game=info.id))
        rules = {rule.number for rule in whole.rules}
        options = getattr(table_pb2.Setup(), info.id)
        names = {field.name for field in info.setup_fields}
        assert names == {field.name for field in options.DESCRIPTOR.fields} | {"seats"}
        for field in info.setup_fields:
            assert field.type
            assert field.text
            assert field.rule in rules
            assert all(value.name and value.text for value in field.values)
            default = json.loads(field.default_json)
            assert isinstance(default, list) == field.repeated


async def test_the_range_of_a_field_is_that_of_the_rules(server: LocalServer):
    for info in (await server.catalog.ListGames(catalog_service_pb2.ListGamesRequest())).games:
        for field in info.setup_fields:
            if field.type != catalog_service_pb2.SetupField.TYPE_INTEGER or field.repeated:
                continue
            for value in (field.min - 1, field.max + 1):
                if field.name == "seats" and value == 0:
                    continue  # as the rest of the setup implies
                setup = table_pb2.Setup(game=info.id, seats=0 if info.id != "yggdrasil" else 2)
                place = setup if field.name == "seats" else getattr(setup, info.id)
                setattr(place, field.name, value)
                made = server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
                assert field.name in (await refused(made)).metadata["fields"]


async def test_a_match_is_created_by_game_and_seats_alone(server: LocalServer):
    setup = table_pb2.Setup(game="champions", seats=3)
    match = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match
    assert (match.game, match.setup.seats, len(match.seats)) == ("champions", 3, 3)


async def test_a_setup_with_the_fields_of_another_game_is_refused(server: LocalServer):
    setup = table_pb2.Setup(game="champions")
    setup.yggdrasil.furious = 1
    refusal = await refused(server.match.CreateMatch(pb.CreateMatchRequest(setup=setup)))
    assert (refusal.reason, refusal.metadata["found"]) == ("WRONG_GAME", "yggdrasil")
