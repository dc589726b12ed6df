"""The one table in which errors meet statuses."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from taflhall_service.app import errors
from taflhall_service.app.errors import Refused
from taflhall_wire.texts import texts_for

DOMAIN: Final = "taflhall"

Code = grpc.StatusCode


class Row(NamedTuple):
    """How an error is told: the status, and the reason in words."""

    code: grpc.StatusCode
    reason: str
    en: str
    de: str


STATUS: Final[dict[type[Refused], Row]] = {
    errors.Malformed: Row(
        Code.INVALID_ARGUMENT,
        "MALFORMED",
        "the request cannot be read, or a field is missing or out of range",
        "die Anfrage ist nicht lesbar, oder ein Feld fehlt oder ist außerhalb des Erlaubten",
    ),
    errors.UnknownGame: Row(
        Code.INVALID_ARGUMENT, "UNKNOWN_GAME", "there is no such game", "dieses Spiel gibt es nicht"
    ),
    errors.InvalidSetup: Row(
        Code.INVALID_ARGUMENT,
        "INVALID_SETUP",
        "the setup makes no match",
        "aus diesem Aufbau wird keine Partie",
    ),
    errors.InvalidTimeControl: Row(
        Code.INVALID_ARGUMENT,
        "INVALID_TIME_CONTROL",
        "the clock settings cannot be",
        "diese Bedenkzeit geht nicht",
    ),
    errors.InvalidName: Row(
        Code.INVALID_ARGUMENT,
        "INVALID_NAME",
        "a name, title or request id is empty, too short, too long or not allowed",
        "ein Name, Titel oder eine Anfrage-Id ist leer, zu kurz, zu lang oder so nicht erlaubt",
    ),
    errors.MatchNotFound: Row(
        Code.NOT_FOUND, "MATCH_NOT_FOUND", "there is no such match", "diese Partie gibt es nicht"
    ),
    errors.UnknownSeat: Row(
        Code.INVALID_ARGUMENT,
        "UNKNOWN_SEAT",
        "the match has no such seat",
        "diesen Platz hat die Partie nicht",
    ),
    errors.SeatTaken: Row(
        Code.ALREADY_EXISTS, "SEAT_TAKEN", "somebody sits there", "dort sitzt schon jemand"
    ),
    errors.NameTaken: Row(
        Code.ALREADY_EXISTS,
        "NAME_TAKEN",
        "somebody of that name sits at the table",
        "jemand dieses Namens sitzt schon am Tisch",
    ),
    errors.NoFreeSeat: Row(
        Code.FAILED_PRECONDITION, "NO_FREE_SEAT", "every seat is taken", "alle Plätze sind besetzt"
    ),
    errors.AlreadyStarted: Row(
        Code.FAILED_PRECONDITION,
        "ALREADY_STARTED",
        "the match has begun",
        "die Partie hat begonnen",
    ),
    errors.NotAllSeated: Row(
        Code.FAILED_PRECONDITION, "NOT_ALL_SEATED", "a seat is free", "ein Platz ist noch frei"
    ),
    errors.NotStarted: Row(
        Code.FAILED_PRECONDITION,
        "NOT_STARTED",
        "the match has not begun",
        "die Partie hat noch nicht begonnen",
    ),
    errors.NotFinished: Row(
        Code.FAILED_PRECONDITION,
        "NOT_FINISHED",
        "the match is not over yet",
        "die Partie ist noch nicht zu Ende",
    ),
    errors.MatchOver: Row(
        Code.FAILED_PRECONDITION, "MATCH_OVER", "the match is over", "die Partie ist zu Ende"
    ),
    errors.SecretMissing: Row(
        Code.UNAUTHENTICATED,
        "SECRET_MISSING",
        "this needs the secret of a seat",
        "dies braucht das Geheimnis eines Platzes",
    ),
    errors.SecretInvalid: Row(
        Code.UNAUTHENTICATED,
        "SECRET_INVALID",
        "the secret opens no seat of this match",
        "das Geheimnis öffnet keinen Platz dieser Partie",
    ),
    errors.NotYourSeat: Row(
        Code.PERMISSION_DENIED,
        "NOT_YOUR_SEAT",
        "the secret does not open that seat",
        "das Geheimnis öffnet diesen Platz nicht",
    ),
    errors.SeatDelegated: Row(
        Code.FAILED_PRECONDITION,
        "SEAT_DELEGATED",
        "a deputy acts for the seat; take it back first",
        "ein Vertreter handelt für den Platz; nimm ihn erst zurück",
    ),
    errors.ProposalPending: Row(
        Code.FAILED_PRECONDITION,
        "PROPOSAL_PENDING",
        "something else is proposed already",
        "es ist schon etwas anderes vorgeschlagen",
    ),
    errors.NoSuchProposal: Row(
        Code.FAILED_PRECONDITION,
        "NO_SUCH_PROPOSAL",
        "that is not proposed, or no longer",
        "das ist nicht vorgeschlagen, oder nicht mehr",
    ),
    errors.CannotUndo: Row(
        Code.FAILED_PRECONDITION,
        "CANNOT_UNDO",
        "that cannot be taken back: something has come to light since",
        "das lässt sich nicht zurücknehmen: seither ist etwas ans Licht gekommen",
    ),
    errors.ConsentRequired: Row(
        Code.FAILED_PRECONDITION,
        "CONSENT_REQUIRED",
        "others play too: propose it to them",
        "andere spielen mit: schlage es ihnen vor",
    ),
    errors.IllegalCommand: Row(
        Code.FAILED_PRECONDITION,
        "ILLEGAL_COMMAND",
        "the rules forbid this",
        "die Regeln verbieten das",
    ),
    errors.StaleDecision: Row(
        Code.ABORTED,
        "STALE_DECISION",
        "that decision is no longer pending",
        "diese Entscheidung steht nicht mehr an",
    ),
    errors.NoSuchOption: Row(
        Code.INVALID_ARGUMENT,
        "NO_SUCH_OPTION",
        "the decision has no such option",
        "diese Möglichkeit hat die Entscheidung nicht",
    ),
    errors.WrongGame: Row(
        Code.INVALID_ARGUMENT,
        "WRONG_GAME",
        "this is of another game",
        "das gehört zu einem anderen Spiel",
    ),
    errors.RequestIdReused: Row(
        Code.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED",
        "the request id was used with another body",
        "die Anfrage-Id wurde schon mit anderem Inhalt benutzt",
    ),
    errors.TooLarge: Row(
        Code.RESOURCE_EXHAUSTED,
        "TOO_LARGE",
        "the request is larger than allowed",
        "die Anfrage ist größer als erlaubt",
    ),
    errors.TooManyStreams: Row(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_STREAMS",
        "the server holds as many streams as it may",
        "der Server hält schon so viele Ströme, wie er darf",
    ),
    errors.MatchTooLong: Row(
        Code.RESOURCE_EXHAUSTED,
        "MATCH_TOO_LONG",
        "the match has as many commands as it may",
        "die Partie hat schon so viele Züge, wie sie darf",
    ),
    errors.WorkLimit: Row(
        Code.RESOURCE_EXHAUSTED,
        "WORK_LIMIT",
        "this is more work than allowed in one call",
        "das ist mehr Arbeit, als ein Aufruf verlangen darf",
    ),
    errors.SlowConsumer: Row(
        Code.RESOURCE_EXHAUSTED,
        "SLOW_CONSUMER",
        "the stream is read too slowly; open it again from the last token",
        "der Strom wird zu langsam gelesen; öffne ihn neu ab dem letzten Token",
    ),
    errors.UnknownRevision: Row(
        Code.OUT_OF_RANGE,
        "UNKNOWN_REVISION",
        "the match has no such revision",
        "diesen Stand hat die Partie nicht",
    ),
    errors.InvalidPageToken: Row(
        Code.INVALID_ARGUMENT,
        "INVALID_PAGE_TOKEN",
        "the page token is none of ours",
        "das Seiten-Token ist keines von uns",
    ),
    errors.InvalidTable: Row(
        Code.INVALID_ARGUMENT,
        "INVALID_TABLE",
        "this makes no position of the game",
        "das ergibt keine Stellung des Spiels",
    ),
    errors.RulesTooNew: Row(
        Code.FAILED_PRECONDITION,
        "RULES_TOO_NEW",
        "this is of another release or other rules than this server's",
        "das stammt von einer anderen Fassung oder anderen Regeln als denen dieses Servers",
    ),
    errors.StoreUnavailable: Row(
        Code.UNAVAILABLE,
        "STORE_UNAVAILABLE",
        "the store does not answer; repeat with the same request id",
        "der Speicher antwortet nicht; wiederhole mit derselben Anfrage-Id",
    ),
    errors.DurabilityUnconfirmed: Row(
        Code.UNAVAILABLE,
        "DURABILITY_UNCONFIRMED",
        "it is not certain that this is kept; repeat with the same request id",
        "es ist nicht sicher, dass dies bewahrt ist; wiederhole mit derselben Anfrage-Id",
    ),
    errors.Draining: Row(
        Code.UNAVAILABLE,
        "DRAINING",
        "this server goes away; repeat elsewhere",
        "dieser Server geht; wiederhole anderswo",
    ),
    errors.Busy: Row(
        Code.UNAVAILABLE,
        "BUSY",
        "others kept changing the match; repeat with the same request id",
        "andere haben die Partie fortwährend geändert; wiederhole mit derselben Anfrage-Id",
    ),
    errors.StoredDataDamaged: Row(
        Code.DATA_LOSS,
        "STORED_DATA_DAMAGED",
        "what is stored of the match cannot be read",
        "was von der Partie gespeichert ist, ist nicht lesbar",
    ),
    errors.RateLimited: Row(
        Code.RESOURCE_EXHAUSTED,
        "RATE_LIMITED",
        "you ask more often than allowed; wait and repeat",
        "du fragst öfter als erlaubt; warte und wiederhole",
    ),
    errors.SpectatorsNotAllowed: Row(
        Code.PERMISSION_DENIED,
        "SPECTATORS_NOT_ALLOWED",
        "this match is for those who play in it",
        "diese Partie ist nur für die, die sie spielen",
    ),
    errors.ApiKeyInvalid: Row(
        Code.UNAUTHENTICATED,
        "API_KEY_INVALID",
        "the API key is unknown or revoked, or its account is disabled",
        "der API-Schlüssel ist unbekannt oder widerrufen, oder sein Konto ist gesperrt",
    ),
    errors.AccountRequired: Row(
        Code.UNAUTHENTICATED,
        "ACCOUNT_REQUIRED",
        "this server wants an account for this",
        "dieser Server verlangt dafür ein Konto",
    ),
    errors.Forbidden: Row(
        Code.PERMISSION_DENIED,
        "FORBIDDEN",
        "this is not for you",
        "das ist dir nicht erlaubt",
    ),
    errors.AccountNotFound: Row(
        Code.NOT_FOUND,
        "ACCOUNT_NOT_FOUND",
        "there is no such account",
        "dieses Konto gibt es nicht",
    ),
    errors.ApiKeyNotFound: Row(
        Code.NOT_FOUND,
        "API_KEY_NOT_FOUND",
        "there is no such API key",
        "diesen API-Schlüssel gibt es nicht",
    ),
    errors.MatchFrozen: Row(
        Code.FAILED_PRECONDITION,
        "MATCH_FROZEN",
        "an administrator has frozen the match",
        "die Partie ist von der Verwaltung angehalten",
    ),
}

WHERE: Final[dict[type[Refused], tuple[str, str]]] = {
    errors.Malformed: (
        "field {field!r}: expected {expected}",
        "Feld {field!r}: erwartet {expected}",
    ),
    errors.UnknownGame: ("{game!r}, expected one of {games}", "{game!r}, erwartet {games}"),
    errors.InvalidName: (
        "field {field!r}: expected {expected}",
        "Feld {field!r}: erwartet {expected}",
    ),
    errors.UnknownSeat: (
        "seat {seat}: there are {seats}, from 0",
        "Platz {seat}: es gibt {seats}, ab 0",
    ),
    errors.SeatTaken: ("seat {seat}", "Platz {seat}"),
    errors.NotAllSeated: ("free: {free}", "frei: {free}"),
    errors.NotYourSeat: ("seat {seat}", "Platz {seat}"),
    errors.SeatDelegated: ("seat {seat}", "Platz {seat}"),
    errors.CannotUndo: (
        "revision {earliest} is the earliest to go back to",
        "Stand {earliest} ist der früheste, auf den es zurückgehen kann",
    ),
    errors.NoSuchOption: (
        "option {option}: there are {options}, from 0",
        "Möglichkeit {option}: es gibt {options}, ab 0",
    ),
    errors.WrongGame: ("{found!r}, expected {game}", "{found!r}, erwartet {game}"),
    errors.TooLarge: ("limit: {limit} bytes", "Grenze: {limit} Bytes"),
    errors.WorkLimit: ("limit: {limit} plies", "Grenze: {limit} Züge"),
    errors.UnknownRevision: ("the newest is {revision}", "der neueste ist {revision}"),
}
"""What an error says beyond its reason: where, and what would be right."""

INTERNAL: Final = Row(
    Code.INTERNAL,
    "INTERNAL",
    "a fault of the server; its log knows more",
    "ein Fehler des Servers; sein Protokoll weiß mehr",
)


def row_of(refused: Refused) -> Row:
    """Return how *refused* is told."""
    row = STATUS[type(refused)]
    if isinstance(refused, errors.IllegalCommand):
        game, refusal = refused.game, refused.refusal
        en = texts_for(game, "en").refusal(refusal)
        return row._replace(en=en, de=texts_for(game, "de").refusal(refusal))
    more = WHERE.get(type(refused))
    if more is None:
        return row
    en, de = more
    told = refused.metadata
    return row._replace(
        en=f"{row.en} ({en.format_map(told)})", de=f"{row.de} ({de.format_map(told)})"
    )


def status_of(refused: Refused) -> status_pb2.Status:
    """Return the status with its details that tells *refused*."""
    if isinstance(refused, errors.RateLimited):
        return _too_often(**refused.metadata)
    return _status_of(refused)


@lru_cache(1024)
def _too_often(**metadata: str) -> status_pb2.Status:
    """Return what is told to whoever asks too often: it must not cost much."""
    return _status_of(errors.RateLimited(**metadata))


def _status_of(refused: Refused) -> status_pb2.Status:
    details: list[Message] = []
    if isinstance(refused, errors.InvalidSetup):
        violations = [
            error_details_pb2.BadRequest.FieldViolation(
                field=fault.field,
                description=fault.text(),
                reason=fault.code.upper(),
                localized_message=error_details_pb2.LocalizedMessage(
                    locale="de", message=fault.text_de()
                ),
            )
            for fault in refused.faults
        ]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    if pause := pause_of(refused):
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(pause)
        details.append(retry)
    return _status(row_of(refused), refused.metadata, details)


PAUSES: Final[dict[type[Refused], int]] = {
    errors.StoreUnavailable: 500,
    errors.DurabilityUnconfirmed: 200,
    errors.Draining: 100,
    errors.Busy: 100,
}
"""Milliseconds that a client should wait before it repeats a call that failed so."""


def pause_of(refused: Refused) -> int:
    """Return how many milliseconds to wait before repeating the call; 0 if it says nothing."""
    if isinstance(refused, errors.RateLimited):
        return int(refused.metadata["retry_after_ms"])
    return PAUSES.get(type(refused), 0)


def internal(correlation: str) -> status_pb2.Status:
    """Return the status of a fault of ours; it tells nothing but where to look."""
    return _status(INTERNAL, {"correlation": correlation}, [])


def _status(row: Row, metadata: dict[str, str], more: list[Message]) -> status_pb2.Status:
    info = error_details_pb2.ErrorInfo(reason=row.reason, domain=DOMAIN, metadata=metadata)
    status = status_pb2.Status(code=row.code.value[0], message=row.en)
    status.details.add().Pack(info)
    status.details.extend(_words(row.en, row.de))
    for detail in more:
        status.details.add().Pack(detail)
    return status


@lru_cache(1024)
def _words(en: str, de: str) -> tuple[AnyMessage, ...]:
    """Return the details that tell an error in words."""
    packed = (AnyMessage(), AnyMessage())
    packed[0].Pack(error_details_pb2.LocalizedMessage(locale="en", message=en))
    packed[1].Pack(error_details_pb2.LocalizedMessage(locale="de", message=de))
    return packed
