package org.taflhall;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Why a call or a stream failed: the values of the contract's ErrorReason without their prefix, each
 * with its status code, then those of the client itself.
 */
public enum Reason {
  /**
   * INVALID_ARGUMENT: the bytes are not a message of the expected kind, or a field is missing
   * or out of range.
   */
  MALFORMED,

  /** INVALID_ARGUMENT: this server does not have the game. */
  UNKNOWN_GAME,

  /**
   * INVALID_ARGUMENT: the setup cannot be played. A google.rpc.BadRequest names the faults,
   * field by field.
   */
  INVALID_SETUP,

  /**
   * INVALID_ARGUMENT: a name, title or request id is empty, too short, too long or not
   * printable, or a name has a space at an end or two together.
   */
  INVALID_NAME,

  /** NOT_FOUND: the match does not exist. */
  MATCH_NOT_FOUND,

  /** INVALID_ARGUMENT: the match has no such seat. */
  UNKNOWN_SEAT,

  /** ALREADY_EXISTS: another player has the seat. */
  SEAT_TAKEN,

  /** ALREADY_EXISTS: another player of the match has the name. */
  NAME_TAKEN,

  /** FAILED_PRECONDITION: every seat is taken. */
  NO_FREE_SEAT,

  /** FAILED_PRECONDITION: the match has started. */
  ALREADY_STARTED,

  /** FAILED_PRECONDITION: a seat is free. */
  NOT_ALL_SEATED,

  /** FAILED_PRECONDITION: the match has not started. */
  NOT_STARTED,

  /** FAILED_PRECONDITION: the match is not over. */
  NOT_FINISHED,

  /** FAILED_PRECONDITION: the match is over. */
  MATCH_OVER,

  /** UNAUTHENTICATED: the call needs a secret, and none was sent. */
  SECRET_MISSING,

  /** UNAUTHENTICATED: the secret opens no seat of this match. */
  SECRET_INVALID,

  /** PERMISSION_DENIED: the secret does not open that seat. */
  NOT_YOUR_SEAT,

  /** FAILED_PRECONDITION: the rules forbid the command. The LocalizedMessages say why. */
  ILLEGAL_COMMAND,

  /** ABORTED: the decision is no longer pending. */
  STALE_DECISION,

  /** INVALID_ARGUMENT: the decision has no such option. */
  NO_SUCH_OPTION,

  /** INVALID_ARGUMENT: the command, setup or view is of another game. */
  WRONG_GAME,

  /** INVALID_ARGUMENT: the request id was used for another request. */
  REQUEST_ID_REUSED,

  /** RESOURCE_EXHAUSTED: the request is larger than allowed. */
  TOO_LARGE,

  /** RESOURCE_EXHAUSTED: no further stream may be opened. */
  TOO_MANY_STREAMS,

  /** RESOURCE_EXHAUSTED: the match has as many commands as it may have. */
  MATCH_TOO_LONG,

  /** RESOURCE_EXHAUSTED: the engine was asked for more work than allowed. */
  WORK_LIMIT,

  /** OUT_OF_RANGE: the match has no such revision. */
  UNKNOWN_REVISION,

  /** INVALID_ARGUMENT: the page token was not given by this service, or for another filter. */
  INVALID_PAGE_TOKEN,

  /** INVALID_ARGUMENT: the table or view is not a position of the game. */
  INVALID_TABLE,

  /**
   * FAILED_PRECONDITION: a newer release stored the match: this server neither reads nor
   * writes it.
   */
  RULES_TOO_NEW,

  /** UNAVAILABLE: the store does not answer: the call may have been carried out. */
  STORE_UNAVAILABLE,

  /** UNAVAILABLE: the command may have been applied, but not at the declared durability. */
  DURABILITY_UNCONFIRMED,

  /** UNAVAILABLE: this server is shutting down. */
  DRAINING,

  /** UNAVAILABLE: others kept changing the match. */
  BUSY,

  /** DATA_LOSS: the stored match cannot be read; nothing was written. */
  STORED_DATA_DAMAGED,

  /** INTERNAL: a fault of the server: the call may have been carried out. */
  INTERNAL,

  /**
   * RESOURCE_EXHAUSTED: the client reads the stream too slowly: open it again with the last
   * resume token.
   */
  SLOW_CONSUMER,

  /**
   * INVALID_ARGUMENT: the time control is out of range. A google.rpc.BadRequest names the
   * faults, field by field.
   */
  INVALID_TIME_CONTROL,

  /** FAILED_PRECONDITION: a deputy acts for the seat: its holder reclaims it first. */
  SEAT_DELEGATED,

  /** FAILED_PRECONDITION: another proposal is pending: it has to be accepted or refused first. */
  PROPOSAL_PENDING,

  /**
   * FAILED_PRECONDITION: that proposal is not pending: it was refused, or the match has
   * changed.
   */
  NO_SUCH_PROPOSAL,

  /**
   * FAILED_PRECONDITION: the answers cannot be taken back: since then a random number was
   * drawn, something hidden was shown, or a seat did something other than answer.
   */
  CANNOT_UNDO,

  /**
   * RESOURCE_EXHAUSTED: the caller exceeds a rate limit; nothing was done. The trailer {@code
   * grpc-retry-pushback-ms} and a google.rpc.RetryInfo say how long to wait.
   */
  RATE_LIMITED,

  /** PERMISSION_DENIED: only its players may see this match. */
  SPECTATORS_NOT_ALLOWED,

  /** UNAUTHENTICATED: the API key is unknown or revoked, or its account is disabled. */
  API_KEY_INVALID,

  /** UNAUTHENTICATED: this server requires an account for this: send an API key. */
  ACCOUNT_REQUIRED,

  /**
   * PERMISSION_DENIED: the caller may not do this: their account has no seat in the match, its
   * role does not allow it, or they abandon an unstarted match of another creator.
   */
  FORBIDDEN,

  /** FAILED_PRECONDITION: others play in the match too: propose it to them. */
  CONSENT_REQUIRED,

  /** NOT_FOUND: the account does not exist. */
  ACCOUNT_NOT_FOUND,

  /** NOT_FOUND: the API key does not exist. */
  API_KEY_NOT_FOUND,

  /**
   * FAILED_PRECONDITION: an administrator has frozen the match: it can be seen, but not
   * changed.
   */
  MATCH_FROZEN,

  /**
   * FAILED_PRECONDITION: there is nothing to take back: the seat has given no answer yet, or
   * the table is as it was at that revision.
   */
  NOTHING_TO_UNDO,

  /**
   * RESOURCE_EXHAUSTED: the stream holds as many matches as it may: end some, or open another
   * stream.
   */
  TOO_MANY_MATCHES,

  /** PERMISSION_DENIED: the seat is reserved for an account that is invited. */
  SEAT_RESERVED,

  /** PERMISSION_DENIED: the match is for those who are invited, or have its join code. */
  INVITATION_REQUIRED,

  /** NOT_FOUND: no match has this join code. */
  JOIN_CODE_INVALID,

  /** NOT_FOUND: the caller's account is not invited to the match. */
  INVITATION_NOT_FOUND,

  /** NOT_FOUND: the server offers no such bot for the game. */
  BOT_NOT_FOUND,

  /** FAILED_PRECONDITION: bots of the server would hold all seats: one is left to a player. */
  PLAYER_REQUIRED,

  /** NOT_FOUND: there is no tournament with this id. */
  TOURNAMENT_NOT_FOUND,

  /** FAILED_PRECONDITION: the tournament has started, or ended: nobody enters any more. */
  TOURNAMENT_STARTED,

  /** FAILED_PRECONDITION: the tournament has ended. */
  TOURNAMENT_OVER,

  /** FAILED_PRECONDITION: as many accounts have entered as may. */
  TOURNAMENT_FULL,

  /** FAILED_PRECONDITION: too few accounts have entered for a match. */
  TOO_FEW_ENTRANTS,

  /** FAILED_PRECONDITION: the account does not take part in the tournament. */
  NOT_ENTERED,

  /** An address cannot be one. */
  INVALID_ADDRESS,

  /** Another caller acts for the seat now, and the stream has ended. */
  REPLACED,

  /** No server answers; an {@link UnreachableException} if none ever has. */
  UNAVAILABLE,

  /** No answer came in time. */
  DEADLINE_EXCEEDED,

  /** The caller cancelled the call. */
  CANCELLED,

  /**
   * A reason that this client does not have, or a status code of gRPC without a reason; {@link
   * TaflhallException#reasonName} is its name.
   */
  UNRECOGNIZED;

  private static final Map<String, Reason> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(Reason::name, reason -> reason));

  static Reason of(String name) {
    return BY_NAME.getOrDefault(name, UNRECOGNIZED);
  }
}
