"""CatalogService: the games and their components."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import catalog_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.texts import DEFAULT_LANGUAGE
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.rate_limits import BURST_SECONDS
from taflhall_service.app.model.limits import Limits
from taflhall_service.rpc.messages import texts_in
from taflhall_service.rpc.requests import game_named, language_of
from taflhall_service.rpc.setup_fields import setup_fields
from taflhall_wire.texts import Texts, texts_for
from taflhall_wire.translate import translator


class CatalogService:
    """The methods of the catalogue. Their replies never change, so they are built once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._games: dict[tuple[str, str], bytes] = {}

    async def ListGames(self, request: pb.ListGamesRequest, identity: Identity) -> bytes:
        language = language_of(request)
        answer = self._games.get(("", language))
        if answer is None:
            games = [game_named(name) for name in registry.GAMES]
            listed = [_game(game, self._limits, texts_in(game, language)) for game in games]
            message = pb.ListGamesResponse(games=listed, limits=_limits(self._limits))
            answer = self._games["", language] = message.SerializeToString()
        return answer

    async def GetGame(self, request: pb.GetGameRequest, identity: Identity) -> bytes:
        game = game_named(request.game)
        language = language_of(request)
        answer = self._games.get((game.id, language))
        if answer is None:
            message = _whole(game, self._limits, texts_in(game, language))
            answer = self._games[game.id, language] = message.SerializeToString()
        return answer


def _game(game: Game, limits: Limits, texts: Texts | None) -> pb.Game:
    return pb.Game(
        id=game.id,
        title="" if texts is None else texts.title(),
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        cooperative=game.cooperative,
        rules_version=game.version,
        data_digest=bytes.fromhex(game.data_digest),
        default_setup=translator(game).setup_to(game.setup_kind()),
        setup_fields=setup_fields(game, texts),
        bots=[pb.GameBot(id=bot, text=texts.bot(bot) if texts else "") for bot in limits.bots],
    )


def _whole(game: Game, limits: Limits, texts: Texts | None) -> pb.GetGameResponse:
    message = pb.GetGameResponse(game=_game(game, limits, texts))
    rules = texts_for(game, DEFAULT_LANGUAGE)
    for component in game.catalog:
        message.components.add(
            kind=component.kind,
            number=component.number,
            id=component.id,
            name="" if texts is None else texts.component(component),
            provenance=component.provenance,
            properties=component.properties,
            text="" if texts is None else texts.card(component),
            rules=rules.card_rules(component),
        )
    for number in game.rulebook.rules:
        message.rules.add(number=number, text="" if texts is None else texts.rule(number))
    if texts is not None:
        message.labels.extend(_labels(game, texts))
    return message


def _labels(game: Game, texts: Texts) -> Iterator[pb.GameLabel]:
    """Yield the names of each vocabulary once, for the first field that holds its values."""
    seen: list[list[str]] = []
    for field, ids in game.labels.items():
        if ids not in seen:
            seen.append(ids)
            for number in range(len(ids)):
                name = texts.label(field, number)
                yield pb.GameLabel(vocabulary=field, value=number + 1, name=name)


def _duration(seconds: float) -> Duration:
    found = Duration()
    found.FromMicroseconds(round(seconds * 1e6))
    return found


def _limits(limits: Limits) -> pb.ServerLimits:
    return pb.ServerLimits(
        request_bytes=limits.request_bytes,
        response_bytes=limits.response_bytes,
        name_characters=limits.name_characters,
        answers=limits.answers,
        match_commands=limits.match_commands,
        heartbeat_interval=_duration(limits.heartbeat_seconds),
        engine_plies=limits.engine_plies,
        analysis_iterations=limits.analysis_iterations,
        streams=limits.streams,
        stream_matches=limits.stream_matches,
        caller_streams=limits.caller_streams,
        host_streams=limits.host_streams,
        host_connections=limits.host_connections,
        commands_per_second=limits.rates.commands,
        joins_per_second=limits.rates.joins,
        reads_per_second=limits.rates.reads,
        streams_per_second=limits.rates.streams,
        burst=_duration(BURST_SECONDS),
        accounts_required=limits.accounts_required,
    )
