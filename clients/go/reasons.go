package taflhall

// Reasons of the contract.
const (
	// ReasonMalformed (INVALID_ARGUMENT): the bytes are not a message of the expected kind, or a
	// field is missing or out of range.
	ReasonMalformed Reason = "MALFORMED"
	// ReasonUnknownGame (INVALID_ARGUMENT): this server does not have the game.
	ReasonUnknownGame Reason = "UNKNOWN_GAME"
	// ReasonInvalidSetup (INVALID_ARGUMENT): the setup cannot be played. A google.rpc.BadRequest
	// names the faults, field by field.
	ReasonInvalidSetup Reason = "INVALID_SETUP"
	// ReasonInvalidName (INVALID_ARGUMENT): a name, title or request id is empty, too short, too
	// long or not printable, or a name has a space at an end or two together.
	ReasonInvalidName Reason = "INVALID_NAME"
	// ReasonMatchNotFound (NOT_FOUND): the match does not exist.
	ReasonMatchNotFound Reason = "MATCH_NOT_FOUND"
	// ReasonUnknownSeat (INVALID_ARGUMENT): the match has no such seat.
	ReasonUnknownSeat Reason = "UNKNOWN_SEAT"
	// ReasonSeatTaken (ALREADY_EXISTS): another player has the seat.
	ReasonSeatTaken Reason = "SEAT_TAKEN"
	// ReasonNameTaken (ALREADY_EXISTS): another player of the match has the name.
	ReasonNameTaken Reason = "NAME_TAKEN"
	// ReasonNoFreeSeat (FAILED_PRECONDITION): every seat is taken.
	ReasonNoFreeSeat Reason = "NO_FREE_SEAT"
	// ReasonAlreadyStarted (FAILED_PRECONDITION): the match has started.
	ReasonAlreadyStarted Reason = "ALREADY_STARTED"
	// ReasonNotAllSeated (FAILED_PRECONDITION): a seat is free.
	ReasonNotAllSeated Reason = "NOT_ALL_SEATED"
	// ReasonNotStarted (FAILED_PRECONDITION): the match has not started.
	ReasonNotStarted Reason = "NOT_STARTED"
	// ReasonNotFinished (FAILED_PRECONDITION): the match is not over.
	ReasonNotFinished Reason = "NOT_FINISHED"
	// ReasonMatchOver (FAILED_PRECONDITION): the match is over.
	ReasonMatchOver Reason = "MATCH_OVER"
	// ReasonSecretMissing (UNAUTHENTICATED): the call needs a secret, and none was sent.
	ReasonSecretMissing Reason = "SECRET_MISSING"
	// ReasonSecretInvalid (UNAUTHENTICATED): the secret opens no seat of this match.
	ReasonSecretInvalid Reason = "SECRET_INVALID"
	// ReasonNotYourSeat (PERMISSION_DENIED): the secret does not open that seat.
	ReasonNotYourSeat Reason = "NOT_YOUR_SEAT"
	// ReasonIllegalCommand (FAILED_PRECONDITION): the rules forbid the command. The
	// LocalizedMessages say why.
	ReasonIllegalCommand Reason = "ILLEGAL_COMMAND"
	// ReasonStaleDecision (ABORTED): the decision is no longer pending.
	ReasonStaleDecision Reason = "STALE_DECISION"
	// ReasonNoSuchOption (INVALID_ARGUMENT): the decision has no such option.
	ReasonNoSuchOption Reason = "NO_SUCH_OPTION"
	// ReasonWrongGame (INVALID_ARGUMENT): the command, setup or view is of another game.
	ReasonWrongGame Reason = "WRONG_GAME"
	// ReasonRequestIDReused (INVALID_ARGUMENT): the request id was used for another request.
	ReasonRequestIDReused Reason = "REQUEST_ID_REUSED"
	// ReasonTooLarge (RESOURCE_EXHAUSTED): the request is larger than allowed.
	ReasonTooLarge Reason = "TOO_LARGE"
	// ReasonTooManyStreams (RESOURCE_EXHAUSTED): no further stream may be opened.
	ReasonTooManyStreams Reason = "TOO_MANY_STREAMS"
	// ReasonMatchTooLong (RESOURCE_EXHAUSTED): the match has as many commands as it may have.
	ReasonMatchTooLong Reason = "MATCH_TOO_LONG"
	// ReasonWorkLimit (RESOURCE_EXHAUSTED): the engine was asked for more work than allowed.
	ReasonWorkLimit Reason = "WORK_LIMIT"
	// ReasonUnknownRevision (OUT_OF_RANGE): the match has no such revision.
	ReasonUnknownRevision Reason = "UNKNOWN_REVISION"
	// ReasonInvalidPageToken (INVALID_ARGUMENT): the page token was not given by this service, or
	// for another filter.
	ReasonInvalidPageToken Reason = "INVALID_PAGE_TOKEN"
	// ReasonInvalidTable (INVALID_ARGUMENT): the table or view is not a position of the game.
	ReasonInvalidTable Reason = "INVALID_TABLE"
	// ReasonRulesTooNew (FAILED_PRECONDITION): a newer release stored the match: this server
	// neither reads nor writes it.
	ReasonRulesTooNew Reason = "RULES_TOO_NEW"
	// ReasonStoreUnavailable (UNAVAILABLE): the store does not answer: the call may have been
	// carried out.
	ReasonStoreUnavailable Reason = "STORE_UNAVAILABLE"
	// ReasonDurabilityUnconfirmed (UNAVAILABLE): the command may have been applied, but not at the
	// declared durability.
	ReasonDurabilityUnconfirmed Reason = "DURABILITY_UNCONFIRMED"
	// ReasonDraining (UNAVAILABLE): this server is shutting down.
	ReasonDraining Reason = "DRAINING"
	// ReasonBusy (UNAVAILABLE): others kept changing the match.
	ReasonBusy Reason = "BUSY"
	// ReasonStoredDataDamaged (DATA_LOSS): the stored match cannot be read; nothing was written.
	ReasonStoredDataDamaged Reason = "STORED_DATA_DAMAGED"
	// ReasonInternal (INTERNAL): a fault of the server: the call may have been carried out.
	ReasonInternal Reason = "INTERNAL"
	// ReasonSlowConsumer (RESOURCE_EXHAUSTED): the client reads the stream too slowly: open it
	// again with the last resume token.
	ReasonSlowConsumer Reason = "SLOW_CONSUMER"
	// ReasonInvalidTimeControl (INVALID_ARGUMENT): the time control is out of range. A
	// google.rpc.BadRequest names the faults, field by field.
	ReasonInvalidTimeControl Reason = "INVALID_TIME_CONTROL"
	// ReasonSeatDelegated (FAILED_PRECONDITION): a deputy acts for the seat: its holder reclaims
	// it first.
	ReasonSeatDelegated Reason = "SEAT_DELEGATED"
	// ReasonProposalPending (FAILED_PRECONDITION): another proposal is pending: it has to be
	// accepted or refused first.
	ReasonProposalPending Reason = "PROPOSAL_PENDING"
	// ReasonNoSuchProposal (FAILED_PRECONDITION): that proposal is not pending: it was refused, or
	// the match has changed.
	ReasonNoSuchProposal Reason = "NO_SUCH_PROPOSAL"
	// ReasonCannotUndo (FAILED_PRECONDITION): the answers cannot be taken back: since then a
	// random number was drawn, something hidden was shown, or a seat did something other than
	// answer.
	ReasonCannotUndo Reason = "CANNOT_UNDO"
	// ReasonRateLimited (RESOURCE_EXHAUSTED): the caller exceeds a rate limit; nothing was done.
	// The trailer `grpc- retry-pushback-ms` and a google.rpc.RetryInfo say how long to wait.
	ReasonRateLimited Reason = "RATE_LIMITED"
	// ReasonSpectatorsNotAllowed (PERMISSION_DENIED): only its players may see this match.
	ReasonSpectatorsNotAllowed Reason = "SPECTATORS_NOT_ALLOWED"
	// ReasonAPIKeyInvalid (UNAUTHENTICATED): the API key is unknown or revoked, or its account is
	// disabled.
	ReasonAPIKeyInvalid Reason = "API_KEY_INVALID"
	// ReasonAccountRequired (UNAUTHENTICATED): this server requires an account for this: send an
	// API key.
	ReasonAccountRequired Reason = "ACCOUNT_REQUIRED"
	// ReasonForbidden (PERMISSION_DENIED): the caller may not do this: their account has no seat
	// in the match, its role does not allow it, or they abandon an unstarted match of another
	// creator.
	ReasonForbidden Reason = "FORBIDDEN"
	// ReasonConsentRequired (FAILED_PRECONDITION): others play in the match too: propose it to
	// them.
	ReasonConsentRequired Reason = "CONSENT_REQUIRED"
	// ReasonAccountNotFound (NOT_FOUND): the account does not exist.
	ReasonAccountNotFound Reason = "ACCOUNT_NOT_FOUND"
	// ReasonAPIKeyNotFound (NOT_FOUND): the API key does not exist.
	ReasonAPIKeyNotFound Reason = "API_KEY_NOT_FOUND"
	// ReasonMatchFrozen (FAILED_PRECONDITION): an administrator has frozen the match: it can be
	// seen, but not changed.
	ReasonMatchFrozen Reason = "MATCH_FROZEN"
	// ReasonNothingToUndo (FAILED_PRECONDITION): there is nothing to take back: the seat has given
	// no answer yet, or the table is as it was at that revision.
	ReasonNothingToUndo Reason = "NOTHING_TO_UNDO"
	// ReasonTooManyMatches (RESOURCE_EXHAUSTED): the stream holds as many matches as it may: end
	// some, or open another stream.
	ReasonTooManyMatches Reason = "TOO_MANY_MATCHES"
	// ReasonSeatReserved (PERMISSION_DENIED): the seat is reserved for an account that is invited.
	ReasonSeatReserved Reason = "SEAT_RESERVED"
	// ReasonInvitationRequired (PERMISSION_DENIED): the match is for those who are invited, or
	// have its join code.
	ReasonInvitationRequired Reason = "INVITATION_REQUIRED"
	// ReasonJoinCodeInvalid (NOT_FOUND): no match has this join code.
	ReasonJoinCodeInvalid Reason = "JOIN_CODE_INVALID"
	// ReasonInvitationNotFound (NOT_FOUND): the caller's account is not invited to the match.
	ReasonInvitationNotFound Reason = "INVITATION_NOT_FOUND"
	// ReasonBotNotFound (NOT_FOUND): the server offers no such bot for the game.
	ReasonBotNotFound Reason = "BOT_NOT_FOUND"
	// ReasonPlayerRequired (FAILED_PRECONDITION): bots of the server would hold all seats: one is
	// left to a player.
	ReasonPlayerRequired Reason = "PLAYER_REQUIRED"
	// ReasonTournamentNotFound (NOT_FOUND): there is no tournament with this id.
	ReasonTournamentNotFound Reason = "TOURNAMENT_NOT_FOUND"
	// ReasonTournamentStarted (FAILED_PRECONDITION): the tournament has started, or ended: nobody
	// enters any more.
	ReasonTournamentStarted Reason = "TOURNAMENT_STARTED"
	// ReasonTournamentOver (FAILED_PRECONDITION): the tournament has ended.
	ReasonTournamentOver Reason = "TOURNAMENT_OVER"
	// ReasonTournamentFull (FAILED_PRECONDITION): as many accounts have entered as may.
	ReasonTournamentFull Reason = "TOURNAMENT_FULL"
	// ReasonTooFewEntrants (FAILED_PRECONDITION): too few accounts have entered for a match.
	ReasonTooFewEntrants Reason = "TOO_FEW_ENTRANTS"
	// ReasonNotEntered (FAILED_PRECONDITION): the account does not take part in the tournament.
	ReasonNotEntered Reason = "NOT_ENTERED"
)
