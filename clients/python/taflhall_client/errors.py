"""The errors of the client: named as the reasons of the contract.

::

    TaflhallError
      Refused                       the answer is definite: nothing has changed
        Malformed, UnknownGame, InvalidSetup, InvalidTimeControl, InvalidName, MatchNotFound,
        UnknownSeat, SeatTaken, NameTaken, NoFreeSeat, AlreadyStarted, NotAllSeated, NotStarted,
        NotFinished, MatchOver, SecretMissing, SecretInvalid, NotYourSeat, IllegalCommand,
        StaleDecision, NoSuchOption, WrongGame, RequestIdReused, TooLarge, TooManyStreams,
        SeatReserved, InvitationRequired, JoinCodeInvalid, InvitationNotFound,
        TooManyMatches, MatchTooLong, WorkLimit, UnknownRevision, InvalidPageToken, InvalidTable,
        RulesTooNew, StoredDataDamaged, SlowConsumer, RateLimited, SpectatorsNotAllowed,
        ApiKeyInvalid, AccountRequired, Forbidden, SeatDelegated, ProposalPending, NoSuchProposal,
        NothingToUndo, CannotUndo, ConsentRequired, AccountNotFound, ApiKeyNotFound, MatchFrozen,
        TournamentNotFound, TournamentStarted, TournamentOver, TournamentFull, TooFewEntrants,
        NotEntered
        Rejected                    refused without a reason of ours
      Uncertain                     it may have happened: repeat with the same request id
        StoreUnavailable, DurabilityUnconfirmed, Draining, Busy, Internal
        Unreachable                 no server answers
        StreamLost                  a stream ended while a message was written; gRPC lost why
        TimedOut                    no answer within the deadline
      TlsFailed                     the two ends do not agree on TLS
      DataDiffers                   the match has other component data than this client
      ForkedProcess                 gRPC cannot work in this child process
      Replaced                      another caller plays this seat now
      BotFailed                     a bot raised, or did not answer with an option

The client repeats calls with an uncertain outcome until its deadline, and rate-limited calls
(:exc:`RateLimited`) after the pause that the server asks for; then it raises the last error. A
reason of the contract without a class in this module has one in
:data:`~taflhall_client.error_decoding.BY_REASON`. One that this client does not know becomes
:exc:`Rejected` or :exc:`Unreachable` by its status code, with the reason in
:attr:`TaflhallError.reason`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from taflhall_client.bot import Decision
from taflhall_engine.kernel.game import View
from taflhall_wire.reason_names import reason_name


class Violation(NamedTuple):
    """One fault of a setup or a time control."""

    field: str
    """Its path in the request, such as ``setup.yggdrasil.furious``."""
    code: str
    """A stable name of the fault, such as ``OUT_OF_RANGE``."""
    description: str
    """The expected value and the one found."""
    description_de: str

    def text(self, language: str = "en") -> str:
        """Return the description in *language*, a BCP 47 tag: in German, or else in English."""
        return self.description_de if _is_german(language) else self.description


def _is_german(language: str) -> bool:
    return language.partition("-")[0] == "de"


class TaflhallError(Exception):
    """Anything that goes wrong between this client and a server."""

    def __init__(
        self,
        message: str,
        *,
        message_de: str = "",
        reason: str = "",
        metadata: dict[str, str] | None = None,
        violations: Iterable[Violation] = (),
        retry_after: float = 0.0,
    ) -> None:
        violations = list(violations)
        text = "; ".join(f"{fault.field}: {fault.description}" for fault in violations)
        super().__init__(f"{message}: {text}" if text else message)
        self.message: Final = message
        self.message_de: Final = message_de or message
        self.reason: Final = reason or reason_name(type(self).__name__)
        """The name of the reason, as in the contract's ErrorReason."""
        self.metadata: Final = dict(metadata or {})
        """The metadata that the contract defines for the reason."""
        self.retry_after: Final = retry_after
        """Seconds that the server asks to wait before the call is repeated; 0 if it does not."""
        self.violations: Final = violations
        """All faults of a setup or a time control; for :exc:`InvalidSetup`."""

    def text(self, language: str = "en") -> str:
        """Return the message in *language*, a BCP 47 tag: in German, or else in English."""
        return self.message_de if _is_german(language) else self.message

    @property
    def uncertain(self) -> bool:
        """Whether the call may have been carried out."""
        return isinstance(self, Uncertain)


class Refused(TaflhallError):
    """The answer is definite: the call changed nothing."""


class Uncertain(TaflhallError):
    """The outcome is unknown: repeat the call with the same request id."""


class Rejected(Refused):
    """Refused with a status code, but without a reason that this client knows."""


class Unreachable(Uncertain):
    """No server answers."""

    @property
    def addresses(self) -> list[str]:
        """The addresses that were tried, if no server has ever answered this client."""
        found = self.metadata.get("addresses")
        return [] if found is None else found.split(", ")


class TimedOut(Uncertain):
    """No answer came within the deadline."""


class StreamLost(Uncertain):
    """The server ended a stream while this client wrote to it, and gRPC lost the reason.

    In ``grpc.aio`` the failed write replaces the status that was received
    (https://github.com/grpc/grpc/issues/36066). Another attempt gets the reason.
    """


class InvalidAddress(TaflhallError, ValueError):
    """What was given cannot be an address; the message says what an address looks like."""


class TlsFailed(TaflhallError):
    """The two ends do not agree on TLS: the message states the fault."""


class ForkedProcess(TaflhallError):
    """The process was forked from one that had used gRPC; the message says what to do."""


class Replaced(TaflhallError):
    """Another caller opened the play stream of this seat."""


class BotFailed(TaflhallError):
    """A bot raised an exception (the ``__cause__``), or did not answer with an option.

    *view* and *decision* are the bot's arguments.
    """

    def __init__(
        self, message: str, *, view: View | None = None, decision: Decision | None = None
    ) -> None:
        super().__init__(message)
        self.view: Final = view
        self.decision: Final = decision


class DataDiffers(TaflhallError):
    """The match is played with other component data than this client has."""


class Malformed(Refused):
    """The request is not a valid message, or a field is out of range."""


class UnknownGame(Refused):
    """The server has no such game."""


class InvalidSetup(Refused):
    """The setup makes no match; :attr:`violations` has everything that is wrong."""


class InvalidTimeControl(InvalidSetup):
    """The time control is out of range; :attr:`violations` has everything that is wrong."""


class InvalidName(Refused):
    """A name, title or request id is empty, too long or not printable."""


class MatchNotFound(Refused):
    """Unknown match."""


class UnknownSeat(Refused):
    """The match has no such seat."""


class SeatTaken(Refused):
    """The seat is taken."""


class NameTaken(Refused):
    """Another seat of the match has that name."""


class NoFreeSeat(Refused):
    """Every seat is taken."""


class AlreadyStarted(Refused):
    """The match has begun."""


class NotAllSeated(Refused):
    """A seat is free."""


class NotStarted(Refused):
    """The match has not begun."""


class NotFinished(Refused):
    """The match is not over yet."""


class MatchOver(Refused):
    """The match is over."""


class SecretMissing(Refused):
    """The call needs a secret."""


class SecretInvalid(Refused):
    """The secret opens no seat of this match."""


class NotYourSeat(Refused):
    """The secret does not open that seat."""


class SeatDelegated(Refused):
    """A deputy acts for that seat: take it back first."""


class ProposalPending(Refused):
    """Something else is proposed already."""


class NoSuchProposal(Refused):
    """That is not proposed, or no longer."""


class NothingToUndo(Refused):
    """The seat has given no answer yet, or the table is as it was at that revision."""


class CannotUndo(Refused):
    """The answers cannot be taken back: they drew chance or showed something hidden."""

    @property
    def earliest(self) -> int:
        """The earliest revision that the table can go back to; the match's own if to none."""
        return int(self.metadata.get("earliest", "0"))


class ConsentRequired(Refused):
    """Others play in the match too: propose it to them."""


class IllegalCommand(Refused):
    """The rules forbid the command."""

    @property
    def rule(self) -> str:
        """The number of the rule that forbids it; empty if no rule does."""
        return self.metadata.get("rule", "")

    @property
    def refusal(self) -> str:
        """The stable word for why."""
        return self.metadata.get("refusal", "")

    @property
    def index(self) -> int:
        """Index of the refused answer in the list, from 0."""
        return int(self.metadata.get("index", "0") or 0)


class StaleDecision(Refused):
    """The decision is no longer pending."""

    @property
    def decision_id(self) -> str:
        """The decision that is pending for the seat; empty without one."""
        return self.metadata.get("decision_id", "")


class NoSuchOption(Refused):
    """The decision has no option of that index."""


class WrongGame(Refused):
    """The command, setup or view is of another game."""


class RequestIdReused(Refused):
    """The request id was used with another body."""


class TooLarge(Refused):
    """The request is larger than allowed."""


class TooManyStreams(Refused):
    """The server holds as many streams as it may."""


class TooManyMatches(Refused):
    """The stream holds as many matches as it may."""


class SeatReserved(Refused):
    """The seat is reserved for an account that is invited."""


class InvitationRequired(Refused):
    """The match is for those who are invited, or have its join code."""


class JoinCodeInvalid(Refused):
    """No match has this join code."""


class InvitationNotFound(Refused):
    """The account is not invited to the match."""


class MatchTooLong(Refused):
    """The match has as many commands, or changes of seats and proposals, as the call allows."""


class WorkLimit(Refused):
    """The engine was asked for more work than allowed."""


class UnknownRevision(Refused):
    """The match has no such revision."""


class InvalidPageToken(Refused):
    """The page token is unknown."""


class InvalidTable(Refused):
    """The table or view makes no position of the game."""


class RulesTooNew(Refused):
    """The match was stored by a newer release than the server's."""


class StoredDataDamaged(Refused):
    """The stored match cannot be read."""


class StoreUnavailable(Uncertain):
    """The server's store does not answer."""


class DurabilityUnconfirmed(Uncertain):
    """The command may have been applied, but not as safely as declared."""


class Draining(Uncertain):
    """The server goes away."""


class Busy(Uncertain):
    """Others kept changing the match."""


class SlowConsumer(Refused):
    """The stream was read too slowly; a watch resumes from its last token."""


class RateLimited(Refused):
    """The server was asked more often than it allows; the client waits and repeats by itself."""


class SpectatorsNotAllowed(Refused):
    """Only players of the match may see it."""


class ApiKeyInvalid(Refused):
    """The API key is unknown or revoked, or its account is disabled."""


class AccountRequired(Refused):
    """The server wants an account for this."""


class Forbidden(Refused):
    """That is not for this caller."""


class AccountNotFound(Refused):
    """Unknown account."""


class ApiKeyNotFound(Refused):
    """Unknown API key."""


class TournamentNotFound(Refused):
    """Unknown tournament."""


class TournamentStarted(Refused):
    """The tournament has started: nobody enters any more."""


class TournamentOver(Refused):
    """The tournament has ended."""


class TournamentFull(Refused):
    """The tournament has as many entrants as it may."""


class TooFewEntrants(Refused):
    """The tournament has too few entrants for a match."""


class NotEntered(Refused):
    """The account has not entered the tournament."""


class MatchFrozen(Refused):
    """An administrator has frozen the match: it can be seen, but not changed."""


class Internal(Uncertain):
    """A fault of the server; :attr:`metadata` has the ``correlation`` id for its log."""
