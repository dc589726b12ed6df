package taflhall

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"

	"google.golang.org/grpc"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// lobby is a server that remembers what it was asked.
type lobby struct {
	taflhallv1.UnimplementedLobbyServiceServer
	taflhallv1.UnimplementedMatchServiceServer
	found   *taflhallv1.FindMatchRequest
	invited *taflhallv1.InviteToMatchRequest
	removed *taflhallv1.RemovePlayerRequest
	joined  *taflhallv1.JoinMatchRequest
	added   *taflhallv1.AddBotRequest
	reacted *taflhallv1.SendReactionRequest
	watched *taflhallv1.WatchMatchRequest
	pages   []string
}

func (l *lobby) AddBot(_ context.Context, r *taflhallv1.AddBotRequest) (*taflhallv1.AddBotResponse, error) {
	l.added = r
	return &taflhallv1.AddBotResponse{Match: &taflhallv1.Match{Id: r.GetMatchId()}}, nil
}

func (l *lobby) JoinRematch(context.Context, *taflhallv1.JoinRematchRequest) (*taflhallv1.JoinRematchResponse, error) {
	return &taflhallv1.JoinRematchResponse{Match: &taflhallv1.Match{Id: "again"}, Seats: []int32{1}, SeatSecret: "u"}, nil
}

func (l *lobby) SendReaction(_ context.Context, r *taflhallv1.SendReactionRequest) (*taflhallv1.SendReactionResponse, error) {
	l.reacted = r
	return &taflhallv1.SendReactionResponse{}, nil
}

func (l *lobby) WatchMatch(r *taflhallv1.WatchMatchRequest, stream grpc.ServerStreamingServer[taflhallv1.WatchMatchResponse]) error {
	l.watched = r
	presence := &taflhallv1.WatchMatchResponse_Presence{Presence: &taflhallv1.MatchPresence{}}
	reaction := &taflhallv1.WatchMatchResponse_Reaction{Reaction: &taflhallv1.SeatReaction{Seat: 1}}
	end := &taflhallv1.WatchMatchResponse_End{End: &taflhallv1.StreamEnd{Cause: taflhallv1.StreamEndCause_STREAM_END_CAUSE_FINISHED}}
	return errors.Join(
		stream.Send(&taflhallv1.WatchMatchResponse{Update: presence}),
		stream.Send(&taflhallv1.WatchMatchResponse{Update: reaction}),
		stream.Send(&taflhallv1.WatchMatchResponse{Update: end}),
	)
}

func (l *lobby) FindMatch(_ context.Context, r *taflhallv1.FindMatchRequest) (*taflhallv1.FindMatchResponse, error) {
	l.found = r
	return &taflhallv1.FindMatchResponse{Match: &taflhallv1.Match{Id: "m"}, Seat: 1, SeatSecret: "s"}, nil
}

func (l *lobby) InviteToMatch(_ context.Context, r *taflhallv1.InviteToMatchRequest) (*taflhallv1.InviteToMatchResponse, error) {
	l.invited = r
	return &taflhallv1.InviteToMatchResponse{Match: &taflhallv1.Match{Id: r.GetMatchId()}}, nil
}

func (l *lobby) DeclineInvitation(context.Context, *taflhallv1.DeclineInvitationRequest) (*taflhallv1.DeclineInvitationResponse, error) {
	return &taflhallv1.DeclineInvitationResponse{}, nil
}

func (l *lobby) RemovePlayer(_ context.Context, r *taflhallv1.RemovePlayerRequest) (*taflhallv1.RemovePlayerResponse, error) {
	l.removed = r
	return &taflhallv1.RemovePlayerResponse{Match: &taflhallv1.Match{Id: r.GetMatchId()}}, nil
}

func (l *lobby) JoinMatch(_ context.Context, r *taflhallv1.JoinMatchRequest) (*taflhallv1.JoinMatchResponse, error) {
	l.joined = r
	return &taflhallv1.JoinMatchResponse{Match: &taflhallv1.Match{Id: "coded"}, SeatSecret: "t"}, nil
}

func (l *lobby) ListMatchEvents(_ context.Context, r *taflhallv1.ListMatchEventsRequest) (*taflhallv1.ListMatchEventsResponse, error) {
	l.pages = append(l.pages, r.GetPageToken())
	if r.GetPageToken() == "" {
		revisions := []*taflhallv1.RevisionEvents{{Revision: r.GetFirstRevision()}, {Revision: r.GetFirstRevision() + 1}}
		return &taflhallv1.ListMatchEventsResponse{Revisions: revisions, NextPageToken: "next"}, nil
	}
	return &taflhallv1.ListMatchEventsResponse{Revisions: []*taflhallv1.RevisionEvents{{Revision: r.GetFirstRevision() + 2}}}, nil
}

func connected(t *testing.T) (*lobby, *Client) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l, server := &lobby{}, grpc.NewServer()
	taflhallv1.RegisterLobbyServiceServer(server, l)
	taflhallv1.RegisterMatchServiceServer(server, l)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	client, err := Connect(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return l, client
}

func TestPlayersFindMatches(t *testing.T) {
	l, client := connected(t)
	ctx := context.Background()
	seat, err := client.FindMatch(ctx, Setup("yggdrasil", 2), "Ann", FindAsBot())
	if err != nil || seat.ID != "m" || seat.Secret != "s" || !slices.Equal(seat.Seats, []int32{1}) {
		t.Errorf("found %v, %v", seat, err)
	}
	if l.found.GetName() != "Ann" || l.found.GetKind() != taflhallv1.SeatKind_SEAT_KIND_BOT || len(l.found.GetRequestId()) != 32 {
		t.Errorf("asked for %v", l.found)
	}
	joined, err := client.JoinByCode(ctx, "abc", "Ben")
	if err != nil || joined.ID != "coded" || joined.Secret != "t" || l.joined.GetJoinCode() != "abc" {
		t.Errorf("joined %v, %v", joined, err)
	}
}

func TestACreatorInvitesAndRemoves(t *testing.T) {
	l, client := connected(t)
	ctx, match := context.Background(), client.Match("m", "creator")
	if _, err := match.Invite(ctx, "account"); err != nil || l.invited.Seat != nil || l.invited.GetAccountId() != "account" {
		t.Errorf("invited %v, %v", l.invited, err)
	}
	if _, err := match.InviteToSeat(ctx, "account", 1); err != nil || l.invited.GetSeat() != 1 {
		t.Errorf("invited %v, %v", l.invited, err)
	}
	if _, err := match.Remove(ctx, 1); err != nil || l.removed.GetSeat() != 1 {
		t.Errorf("removed %v, %v", l.removed, err)
	}
	if err := match.Decline(ctx); err != nil {
		t.Error(err)
	}
	if _, err := match.AddBot(ctx, "random"); err != nil || l.added.Seat != nil || l.added.GetBotId() != "random" {
		t.Errorf("added %v, %v", l.added, err)
	}
	if _, err := match.AddBotToSeat(ctx, "random", 1); err != nil || l.added.GetSeat() != 1 {
		t.Errorf("added %v, %v", l.added, err)
	}
}

func TestPlayersMeetAgain(t *testing.T) {
	_, client := connected(t)
	again, err := client.Match("m", "s").Rematch(context.Background())
	if err != nil || again.ID != "again" || again.Secret != "u" || !slices.Equal(again.Seats, []int32{1}) {
		t.Errorf("the rematch is %v, %v", again, err)
	}
}

func TestPresenceAndReactionsAreShown(t *testing.T) {
	l, client := connected(t)
	ctx, match := context.Background(), client.Match("m", "s")
	if err := match.React(ctx, taflhallv1.Reaction(1)); err != nil || l.reacted.GetReaction() != 1 {
		t.Errorf("reacted %v, %v", l.reacted, err)
	}
	var shown []*taflhallv1.WatchMatchResponse
	for update, err := range match.Watch(ctx, WithPresence(), WithReactions()) {
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, update)
	}
	if len(shown) != 3 || shown[0].GetPresence() == nil || shown[1].GetReaction().GetSeat() != 1 {
		t.Errorf("shown are %v", shown)
	}
	if !l.watched.GetWithPresence() || !l.watched.GetWithReactions() {
		t.Errorf("asked for %v", l.watched)
	}
}

func TestAHistoryComesPageByPage(t *testing.T) {
	l, client := connected(t)
	var revisions []int32
	for revision, err := range client.Match("m", "").History(context.Background(), 3) {
		if err != nil {
			t.Fatal(err)
		}
		revisions = append(revisions, revision.GetRevision())
	}
	if !slices.Equal(revisions, []int32{3, 4, 5}) || !slices.Equal(l.pages, []string{"", "next"}) {
		t.Errorf("%v on the pages %q", revisions, l.pages)
	}
}

func TestALobbyThatIsRefusedEndsWithTheError(t *testing.T) {
	_, client := connected(t)
	var last error
	for _, err := range client.WatchLobby(context.Background(), nil) {
		last = err
	}
	if !errors.Is(last, Reason("UNIMPLEMENTED")) {
		t.Errorf("it ended with %v", last)
	}
}
