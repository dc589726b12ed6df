"""Why a request is refused. Each class is one reason of the contract, of the same name.

A refused request has changed nothing, except where the class says that the outcome is unknown.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.game import Fault, Game


class Refused(Exception):
    """A refused request; *metadata* holds the keys that the reason documents."""

    def __init__(self, **metadata: object) -> None:
        super().__init__(type(self).__name__)
        self.metadata: Final = {name: str(value) for name, value in metadata.items()}


class Malformed(Refused):
    """A required field is missing or out of range, or the message is malformed."""


class UnknownGame(Refused):
    """Unknown game."""


class InvalidSetup(Refused):
    """No match can be set up like this."""

    def __init__(self, game: Game, faults: list[Fault]) -> None:
        self.game: Final = game
        self.faults: Final = faults
        super().__init__(
            fields=",".join(self.path(fault) for fault in faults),
            codes=",".join(fault.code.upper() for fault in faults),
        )

    def path(self, fault: Fault) -> str:
        """Return where in the request the field at fault is."""
        return "setup.seats" if fault.field == "seats" else f"setup.{self.game.id}.{fault.field}"


class InvalidTimeControl(InvalidSetup):
    """A time control that is out of range."""

    def path(self, fault: Fault) -> str:
        """Return where in the request the field at fault is."""
        return fault.field


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
    """The call needs a secret and none was sent."""


class SecretInvalid(Refused):
    """The secret opens no seat of this match."""


class NotYourSeat(Refused):
    """The secret does not open that seat."""


class SeatDelegated(Refused):
    """A deputy acts for that seat."""


class ProposalPending(Refused):
    """Something else is proposed already."""


class NoSuchProposal(Refused):
    """No such proposal is pending."""


class NothingToUndo(Refused):
    """The seat has given no answer yet, or the table is the one that was asked for."""


class CannotUndo(Refused):
    """The answers cannot be taken back."""


class ConsentRequired(Refused):
    """Others play in the match: it must be proposed to them."""


class IllegalCommand(Refused):
    """The rules forbid the command."""

    def __init__(self, game: Game, refusal: Refusal, index: int) -> None:
        super().__init__(rule=refusal.rule, refusal=refusal.code, index=index)
        self.game: Final = game
        self.refusal: Final = refusal


class StaleDecision(Refused):
    """The decision is no longer pending."""


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


class SlowConsumer(Refused):
    """The client reads its stream too slowly."""


class UnknownRevision(Refused):
    """The match has no such revision."""


class InvalidPageToken(Refused):
    """Unknown page token."""


class InvalidTable(Refused):
    """The table or view makes no position of the game."""


class RulesTooNew(Refused):
    """The stored data comes from a newer release, other rules or other component data."""


class CommitTooEarly(Exception):
    """The store's clock has not reached the time of the change; never sent to a caller."""


class StoreUnavailable(Refused):
    """The store does not answer; whether the change was made is unknown."""


class DurabilityUnconfirmed(Refused):
    """The change was made with less than the declared durability and may be lost."""


class Draining(Refused):
    """The server is shutting down."""


class Busy(Refused):
    """Other callers kept changing the match."""


class StoredDataDamaged(Refused):
    """The stored data of the match cannot be read."""


class RateLimited(Refused):
    """The caller asks more often than allowed."""


class SpectatorsNotAllowed(Refused):
    """The match allows no spectators."""


class ApiKeyInvalid(Refused):
    """The API key is unknown or revoked, or its account is disabled."""


class AccountRequired(Refused):
    """The server wants an account for that."""


class Forbidden(Refused):
    """The caller may not do that."""


class AccountNotFound(Refused):
    """Unknown account."""


class ApiKeyNotFound(Refused):
    """Unknown API key."""


class BotNotFound(Refused):
    """The server offers no such bot."""


class PlayerRequired(Refused):
    """Bots of the server would hold all seats."""


class TournamentNotFound(Refused):
    """Unknown tournament."""


class TournamentStarted(Refused):
    """The tournament has started, so entry is closed."""


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
