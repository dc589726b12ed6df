"""Proposals as values: how far back an undo may go, and when something is decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from taflhall_engine.kernel.mainline import MainlineEnd, UndoableAnswer
from taflhall_engine.kernel.meta_commands import ABANDON, NO_WITHDRAWALS, Withdrawals, undo
from taflhall_service.app.access.permissions import Caller
from taflhall_service.app.errors import Busy, MatchOver, Refused
from taflhall_service.app.matches.abandon import AbandonIdle, AbandonMatch
from taflhall_service.app.matches.consent import missing_consents, needs_consent
from taflhall_service.app.matches.past import PastTable
from taflhall_service.app.matches.proposals import (
    EarlierTable,
    MatchMoved,
    ProposeToPlayers,
    RespondToProposal,
    Undo,
    respond,
)
from taflhall_service.app.matches.transaction import Change
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Clocks, Moment, SeatClock, TimeControl
from taflhall_service.app.model.match import ABANDONED, FINISHED, Match
from taflhall_service.app.model.records import Proposal, Seat
from taflhall_service.app.ports.match_store import Version
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    LIMITS,
    bot,
    caller,
    changed_often,
    deputy,
    does_nothing,
    open_match,
    playing,
    prepared,
    refusal,
    seat,
)
from tests.service.requests.process import Process

ALL = ("ann", "bob", "cy")


def going_on(*names: str, revision: int = 9, **fields: Any) -> Match:
    """Return a match of *names* at *revision*: ann answered at 6 and 8, bob at 7.

    What came before cannot be taken back; cy has an answer there.
    """
    match = playing(*[seat(name) for name in names or ALL])
    undoable = (UndoableAnswer(5, 0), UndoableAnswer(6, 1), UndoableAnswer(8, 0))
    end = MainlineEnd(revision, revision, undoable, settled=0b100)
    version = Version(revision, b"head", match.version.change_id)
    return match.replaced(version=version, end=end, **fields)


def proposing(
    what: Undo | None = None, who: str = "ann", number: int | None = None, **fields: Any
) -> ProposeToPlayers:
    return ProposeToPlayers(caller(who), number, what, "id", FINGERPRINT, LIMITS, **fields)


def responding(
    who: str, agree: bool = True, proposal_id: str = "p", **fields: Any
) -> RespondToProposal:
    return RespondToProposal(
        caller(who), None, proposal_id, agree, "id", FINGERPRINT, LIMITS, **fields
    )


# ---------------------------------------------------------------- what may be undone


@pytest.mark.parametrize(
    ("who", "what", "back", "to"),
    [
        ("ann", Undo(), 1, 8),
        ("bob", Undo(), 2, 6),
        ("ann", Undo(8), 1, 8),
        ("ann", Undo(6), 2, 6),
        ("cy", Undo(5), 3, 5),
    ],
)
def test_an_undo_goes_back_to_a_revision_or_before_the_latest_own_answer(who, what, back, to):
    match = going_on()
    assert proposing(what, who).restores(match) == to
    proposed = prepared(proposing(what, who), match).match.proposed
    assert proposed is not None
    assert (proposed.back, proposed.to_revision, proposed.revision) == (back, to, 9)
    assert proposed.seat == ALL.index(who)
    assert proposed.agreed == (ALL.index(who),)


@pytest.mark.parametrize(
    ("who", "what", "reason"),
    [
        ("ann", Undo(10), ("UnknownRevision", {"revision": "9"})),
        ("ann", Undo(-1), ("UnknownRevision", {"revision": "9"})),
        ("ann", Undo(9), ("NothingToUndo", {"match_id": "match"})),
        ("ann", Undo(7), ("CannotUndo", {"earliest": "5"})),
        ("ann", Undo(0), ("CannotUndo", {"earliest": "5"})),
        ("cy", Undo(), ("CannotUndo", {"earliest": "5"})),
    ],
)
def test_nothing_else_is_undone(who, what, reason):
    assert refusal(proposing(what, who), going_on()) == reason


def test_a_seat_that_has_not_answered_has_nothing_to_undo():
    never = going_on().replaced(end=MainlineEnd(9, 9, (UndoableAnswer(8, 0),)))
    assert refusal(proposing(Undo(), "bob"), never)[0] == "NothingToUndo"
    shown = going_on().replaced(end=MainlineEnd(7, 7, settled=0b001))
    assert refusal(proposing(Undo()), shown) == ("CannotUndo", {"earliest": "9"})
    assert refusal(proposing(Undo(7)), shown)[0] == "NothingToUndo"
    assert refusal(proposing(Undo(9)), shown)[0] == "NothingToUndo"
    assert refusal(proposing(Undo(8)), shown) == ("CannotUndo", {"earliest": "9"})


# ---------------------------------------------------------------- who proposes


def test_a_player_proposes_to_abandon_the_match():
    assert proposing().restores(going_on()) is None
    change = prepared(proposing(), going_on())
    proposed = change.match.proposed
    assert proposed is not None
    assert (proposed.back, proposed.to_revision) == (0, 0)
    assert change.outcome == proposed.id.encode()
    assert change.fields == {"proposal": codec.encode(proposed)}
    assert change.match.version.change_count == 2
    assert not change.entries


def test_one_thing_is_proposed_at_a_time():
    match = going_on(proposed=Proposal("p", 1, 0, 0, (1,), 9))
    assert refusal(proposing(), match) == ("ProposalPending", {"proposal_id": "p"})
    prepared(proposing(), going_on(proposed=Proposal("p", 1, 0, 0, (1,), 8)))


def test_a_withdrawn_seat_or_a_deputy_proposes_nothing():
    gone = going_on(withdrawn=Withdrawals((0,)))
    assert refusal(proposing(), gone) == ("Forbidden", {})
    two = going_on("ann", "ann", "cy", withdrawn=Withdrawals((0,)))
    assert refusal(proposing(number=0), two) == ("Forbidden", {})
    prepared(proposing(number=1), two)
    match = going_on(seats=(seat("ann", deputy=deputy("dee")), seat("bob"), seat("cy")))
    assert refusal(proposing(who="dee"), match) == ("Forbidden", {})
    asked = gone.replaced(proposed=Proposal("p", 1, 0, 0, (1,), 9))
    assert refusal(responding("ann"), asked) == ("Forbidden", {})
    assert refusal(proposing(), open_match(seat("ann"), Seat()))[0] == "NotStarted"
    assert refusal(proposing(), going_on(status=FINISHED))[0] == "MatchOver"


def test_what_needs_consent_counts_among_the_changes():
    prepared(proposing(), changed_often(going_on(), 9))
    refused = refusal(proposing(), changed_often(going_on(), 10))
    assert refused == ("MatchTooLong", {"limit": "10"})
    alone = changed_often(going_on("ann", "ann", "ann"), 10)
    assert prepared(proposing(), alone).match.status == ABANDONED


# ---------------------------------------------------------------- what is decided


def earlier(match: Match, revision: int) -> EarlierTable:
    assert match.table is not None
    return EarlierTable(revision, match.version.head, PastTable(match.table, NO_WITHDRAWALS))


def test_a_player_who_needs_no_consent_undoes_at_once():
    match = going_on("ann", "ann", "ann")
    with pytest.raises(MatchMoved):
        prepared(proposing(Undo()), match)
    request = proposing(Undo(), earlier=earlier(match, 8))
    change = prepared(request, match)
    [entry] = change.entries
    assert (entry.seat, entry.command, entry.restores) == (0, undo(1), 8)
    assert change.match.revision == 10
    assert change.match.end == match.end.undone(1)
    assert change.outcome == b""
    assert change.match.table is not match.table


@pytest.mark.parametrize(("revision", "head"), [(6, b"head"), (8, b"another"), (9, b"head")])
def test_a_table_that_was_read_for_another_version_is_not_restored(revision: int, head: bytes):
    match = going_on("ann", "ann", "ann")
    given = earlier(match, revision)._replace(head=head)
    with pytest.raises(MatchMoved):
        prepared(proposing(Undo(), earlier=given), match)


def test_an_undo_is_a_command_among_as_many_as_a_match_may_have():
    for revision, left in ((19, True), (20, False)):
        match = going_on("ann", "ann", "ann", revision=revision)
        request = proposing(Undo(8), earlier=earlier(match, 8))
        if left:
            assert prepared(request, match).match.revision == 20
        else:
            assert refusal(request, match) == ("MatchTooLong", {"limit": "20"})


def test_the_last_consent_decides():
    match = going_on(proposed=Proposal("p", 1, 0, 0, (1,), 9))
    change = prepared(responding("cy"), match)
    proposed = change.match.proposed
    assert proposed == Proposal("p", 1, 0, 0, (1, 2), 9)
    assert change.fields == {"proposal": codec.encode(proposed)}
    assert does_nothing(responding("cy"), change.match)
    last = prepared(responding("ann"), change.match)
    [entry] = last.entries
    assert (entry.seat, entry.command) == (1, ABANDON)
    assert last.match.status == ABANDONED


def test_a_withdrawn_seat_is_not_asked():
    match = going_on(withdrawn=Withdrawals((1,)))
    proposed = prepared(proposing(), match).match.proposed
    assert proposed is not None
    assert missing_consents(match, proposed.agreed) == [2]
    assert [needs_consent(match, proposed, own) for own in ((0,), (1,), (2,), (0, 2), ())] == [
        False,
        False,
        True,
        True,
        False,
    ]
    assert needs_consent(going_on(), proposed, (1,))  # cy has to agree as well
    answer = responding("cy", proposal_id=proposed.id)
    assert prepared(answer, match.replaced(proposed=proposed)).match.status == ABANDONED


def test_the_last_consent_restores_the_table():
    match = going_on("ann", "bob", proposed=Proposal("p", 0, 1, 8, (0,), 9))
    assert responding("bob").restores(match) == 8
    assert responding("bob", agree=False).restores(match) is None
    change = prepared(responding("bob", earlier=earlier(match, 8)), match)
    assert (change.entries[0].seat, change.entries[0].command) == (0, undo(1))
    abandoning = going_on("ann", "bob", proposed=Proposal("p", 0, 0, 0, (0,), 9))
    assert responding("bob").restores(abandoning) is None
    assert responding("bob").restores(going_on("ann", "bob")) is None


def test_a_consent_that_others_have_made_the_last_one_decides_again():
    """The one who had agreed already is not told that nothing is to be done."""
    match = going_on(
        proposed=Proposal("p", 1, 0, 0, (1, 2), 9), seats=(bot(), seat("bob"), seat("cy"))
    )
    assert prepared(responding("cy"), match).match.status == ABANDONED


class MovesOn(RespondToProposal):
    """A consent to which the match has always moved on."""

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        raise MatchMoved


async def test_a_server_gives_up_when_the_match_always_moves_on():
    process = Process()
    await process.hold(playing(*[seat(name) for name in ALL]))
    with pytest.raises(Busy):
        await respond(
            process.matches,
            "match",
            MovesOn(caller("cy"), None, "p", True, "id", FINGERPRINT, LIMITS),
        )
    assert process.store.commits == []


def test_nobody_answers_for_the_seat_of_another():
    match = going_on(proposed=Proposal("p", 1, 0, 0, (1,), 9))
    answer = replace(responding("cy"), seat=0)
    assert refusal(answer, match) == ("NotYourSeat", {"seat": "0"})


@pytest.mark.parametrize("who", ["eve", "dee"])
def test_a_stranger_has_no_table_read_for_a_proposal(who: str):
    match = going_on(
        seats=(seat("ann", deputy=deputy("dee")), seat("bob"), seat("cy")),
        proposed=Proposal("p", 1, 1, 8, (1,), 9),
    )
    for request in (proposing(Undo(8), who), responding(who)):
        with pytest.raises(Refused):
            request.restores(match)
        over = replace(request, identity=caller("cy"))
        with pytest.raises(MatchOver):
            over.restores(match.replaced(status=FINISHED))


def test_one_refusal_ends_a_proposal():
    match = going_on(proposed=Proposal("p", 1, 0, 0, (1,), 9))
    change = prepared(responding("cy", agree=False), match)
    assert change.match.proposed is None
    assert change.match.version.change_count == 2
    assert change.fields == {"proposal": b""}


def test_an_answer_is_to_the_proposal_that_it_names():
    match = going_on(proposed=Proposal("p", 1, 0, 0, (1,), 9))
    refused = refusal(responding("cy", proposal_id="x" * 65), match)
    assert refused == ("NoSuchProposal", {"proposal_id": "x" * 64})
    assert refusal(responding("cy"), going_on())[0] == "NoSuchProposal"
    assert refusal(responding("cy"), going_on(status=FINISHED))[0] == "MatchOver"
    late = going_on(proposed=Proposal("p", 1, 0, 0, (1,), 8))
    assert refusal(responding("cy"), late)[0] == "NoSuchProposal"


# ---------------------------------------------------------------- to abandon


def abandoning(who: str) -> AbandonMatch:
    return AbandonMatch(caller(who), "id", FINGERPRINT)


def test_the_creator_abandons_a_match_that_has_not_started():
    match = open_match(seat("ann"), Seat())
    change = prepared(abandoning(CREATOR), match)
    assert change.match.status == ABANDONED
    assert change.fields == {"status": b"abandoned"}
    assert change.match.version.change_count == 2
    assert refusal(abandoning("ann"), match) == ("Forbidden", {})


def test_a_player_abandons_a_match_in_which_nobody_else_decides():
    needed = ("ConsentRequired", {"match_id": "match"})
    assert refusal(abandoning("ann"), playing(seat("ann"), seat("bob"))) == needed
    assert refusal(abandoning(CREATOR), playing(seat("ann"), seat("bob"))) == needed
    assert refusal(abandoning(CREATOR), playing(bot("A"), bot("B"))) == needed
    for other in (bot(), seat("ann"), seat("bob", stand_in=True)):
        change = prepared(abandoning("ann"), playing(seat("ann"), other))
        [entry] = change.entries
        assert (entry.seat, entry.command) == (0, ABANDON)
        assert change.match.status == ABANDONED
    gone = playing(seat("ann"), seat("ann"), seat("ann")).replaced(withdrawn=Withdrawals((0,)))
    assert prepared(abandoning("ann"), gone).entries[0].seat == 1
    none = playing(seat("ann"), seat("bob"), seat("cy")).replaced(withdrawn=Withdrawals((0,)))
    assert refusal(abandoning("ann"), none) == needed
    assert refusal(abandoning("ann"), none.replaced(status=FINISHED))[0] == "MatchOver"


def test_a_seat_whose_player_is_absent_is_not_asked():
    match = playing(seat("ann"), seat("bob"), clock=TimeControl(1000))
    for missed, needed in ((1, True), (2, False), (3, False)):
        clocks = Clocks((SeatClock(1000), SeatClock(1000, missed=missed)))
        absent = match.replaced(clocks=clocks)
        if needed:
            assert refusal(abandoning("ann"), absent)[0] == "ConsentRequired"
        else:
            assert prepared(abandoning("ann"), absent).match.status == ABANDONED


def test_the_server_abandons_a_match_only_as_it_has_seen_it():
    match = open_match(seat("ann"), Seat())
    assert prepared(AbandonIdle(match.version), match).match.status == ABANDONED
    assert does_nothing(AbandonIdle(match.version.changed()), match)
    assert does_nothing(AbandonIdle(match.version), match.replaced(status=FINISHED))
    match = playing(seat("ann"), seat("bob"))
    [entry] = prepared(AbandonIdle(match.version), match).entries
    assert (entry.seat, entry.command) == (-1, ABANDON)
