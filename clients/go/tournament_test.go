package taflhall

import (
	"context"
	"errors"
	"net"
	"testing"

	"google.golang.org/grpc"

	tournamentv1 "taflhall.org/go/gen/taflhall/tournament/v1"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// host is a server that remembers what it was asked about tournaments.
type host struct {
	tournamentv1.UnimplementedTournamentServiceServer
	created   *tournamentv1.CreateTournamentRequest
	withdrawn *tournamentv1.WithdrawFromTournamentRequest
	watches   int
}

func tournament(status tournamentv1.TournamentStatus) *tournamentv1.Tournament {
	return &tournamentv1.Tournament{Id: "t", Status: status}
}

func (h *host) CreateTournament(_ context.Context, r *tournamentv1.CreateTournamentRequest) (*tournamentv1.CreateTournamentResponse, error) {
	h.created = r
	return &tournamentv1.CreateTournamentResponse{Tournament: tournament(tournamentv1.TournamentStatus_TOURNAMENT_STATUS_OPEN)}, nil
}

func (h *host) WithdrawFromTournament(_ context.Context, r *tournamentv1.WithdrawFromTournamentRequest) (*tournamentv1.WithdrawFromTournamentResponse, error) {
	h.withdrawn = r
	return &tournamentv1.WithdrawFromTournamentResponse{Tournament: tournament(tournamentv1.TournamentStatus_TOURNAMENT_STATUS_PLAYING)}, nil
}

func (h *host) ListTournamentMatches(_ context.Context, r *tournamentv1.ListTournamentMatchesRequest) (*tournamentv1.ListTournamentMatchesResponse, error) {
	if r.GetPageToken() == "" {
		return &tournamentv1.ListTournamentMatchesResponse{Matches: []*tournamentv1.TournamentMatch{{Index: 0}}, NextPageToken: "next"}, nil
	}
	return &tournamentv1.ListTournamentMatchesResponse{Matches: []*tournamentv1.TournamentMatch{{Index: 1}}}, nil
}

// WatchTournament is cut after the first message of the first watch.
func (h *host) WatchTournament(_ *tournamentv1.WatchTournamentRequest, stream grpc.ServerStreamingServer[tournamentv1.WatchTournamentResponse]) error {
	h.watches++
	playing := tournament(tournamentv1.TournamentStatus_TOURNAMENT_STATUS_PLAYING)
	finished := tournament(tournamentv1.TournamentStatus_TOURNAMENT_STATUS_FINISHED)
	if err := stream.Send(&tournamentv1.WatchTournamentResponse{Tournament: playing}); err != nil || h.watches == 1 {
		return err
	}
	return errors.Join(
		stream.Send(&tournamentv1.WatchTournamentResponse{}),
		stream.Send(&tournamentv1.WatchTournamentResponse{Tournament: finished}),
	)
}

func hosted(t *testing.T) (*host, *Client) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h, server := &host{}, grpc.NewServer()
	tournamentv1.RegisterTournamentServiceServer(server, h)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	client, err := Connect(listener.Addr().String(), WithKey("tfk_a_b"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return h, client
}

func TestATournamentIsAnnouncedAndLeft(t *testing.T) {
	h, client := hosted(t)
	ctx := context.Background()
	created, err := client.CreateTournament(ctx, "Cup", Setup("yggdrasil", 2), &taflhallv1.TimeControl{}, Swiss(), Rounds(3))
	if err != nil || created.ID != "t" {
		t.Fatalf("created %v, %v", created, err)
	}
	if h.created.GetName() != "Cup" || h.created.GetRounds() != 3 || len(h.created.GetRequestId()) != 32 {
		t.Errorf("asked for %v", h.created)
	}
	left, err := created.Withdraw(ctx)
	if err != nil || left.GetId() != "t" || h.withdrawn.GetAccountId() != "" {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := created.WithdrawAccount(ctx, "ann"); err != nil || h.withdrawn.GetAccountId() != "ann" {
		t.Errorf("withdrew %v, %v", h.withdrawn, err)
	}
}

func TestMatchesOfATournamentComePageByPage(t *testing.T) {
	_, client := hosted(t)
	var found []int32
	for match, err := range client.Tournament("t").Matches(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, match.GetIndex())
	}
	if len(found) != 2 || found[1] != 1 {
		t.Errorf("found %v", found)
	}
}

func TestAWatchOfATournamentIsOpenedAgainUntilItsEnd(t *testing.T) {
	h, client := hosted(t)
	var shown []tournamentv1.TournamentStatus
	for update, err := range client.Tournament("t").Watch(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, update.GetTournament().GetStatus())
	}
	if h.watches != 2 || len(shown) != 3 || shown[2] != tournamentv1.TournamentStatus_TOURNAMENT_STATUS_FINISHED {
		t.Errorf("%d watches showed %v", h.watches, shown)
	}
}
