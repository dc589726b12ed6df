package taflhall

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	tournamentv1 "taflhall.org/go/gen/taflhall/tournament/v1"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// Tournament is a tournament of the server, as the account of the client may use it.
type Tournament struct {
	client *Client
	// ID names the tournament.
	ID string
}

// TournamentOption is an option of [Client.CreateTournament].
type TournamentOption func(*tournamentv1.CreateTournamentRequest)

// Swiss pairs those with about the same points in each round, instead of everybody with everybody.
func Swiss() TournamentOption {
	return func(r *tournamentv1.CreateTournamentRequest) {
		r.Format = tournamentv1.TournamentFormat_TOURNAMENT_FORMAT_SWISS
	}
}

// Rounds is how many rounds are played, instead of one.
func Rounds(rounds int) TournamentOption {
	return func(r *tournamentv1.CreateTournamentRequest) { r.Rounds = int32(rounds) }
}

// MaxEntrants is how many accounts may enter, instead of as many as the server allows.
func MaxEntrants(entrants int) TournamentOption {
	return func(r *tournamentv1.CreateTournamentRequest) { r.MaxEntrants = int32(entrants) }
}

// MatchesAtOnce is how many matches of one entrant are under way at once, instead of one.
func MatchesAtOnce(matches int) TournamentOption {
	return func(r *tournamentv1.CreateTournamentRequest) { r.MatchesAtOnce = int32(matches) }
}

// CreateTournament announces a tournament of matches with this setup and time control. It is for
// accounts that host.
func (c *Client) CreateTournament(ctx context.Context, name string, setup *taflhallv1.Setup, timeControl *taflhallv1.TimeControl, options ...TournamentOption) (*Tournament, error) {
	request := &tournamentv1.CreateTournamentRequest{
		Name: name, Setup: setup, TimeControl: timeControl, RequestId: newRequestID(),
	}
	for _, option := range options {
		option(request)
	}
	reply := &tournamentv1.CreateTournamentResponse{}
	if err := c.Call(ctx, tournamentv1.TournamentService_CreateTournament_FullMethodName, request, reply, ""); err != nil {
		return nil, err
	}
	return c.Tournament(reply.GetTournament().GetId()), nil
}

// Tournament returns the tournament of that id.
func (c *Client) Tournament(id string) *Tournament { return &Tournament{client: c, ID: id} }

// Tournaments returns a page of the tournaments that fit the request, the newest first.
func (c *Client) Tournaments(ctx context.Context, request *tournamentv1.ListTournamentsRequest) (*tournamentv1.ListTournamentsResponse, error) {
	reply := &tournamentv1.ListTournamentsResponse{}
	return reply, c.Call(ctx, tournamentv1.TournamentService_ListTournaments_FullMethodName, request, reply, "")
}

// tournamentReply is a reply that holds the tournament.
type tournamentReply interface {
	proto.Message
	GetTournament() *tournamentv1.Tournament
}

func (t *Tournament) call(ctx context.Context, method string, request proto.Message, reply tournamentReply) (*tournamentv1.Tournament, error) {
	err := t.client.Call(ctx, method, request, reply, "")
	return reply.GetTournament(), err
}

// Get returns the tournament as it is.
func (t *Tournament) Get(ctx context.Context) (*tournamentv1.Tournament, error) {
	request := &tournamentv1.GetTournamentRequest{TournamentId: t.ID}
	return t.call(ctx, tournamentv1.TournamentService_GetTournament_FullMethodName, request, &tournamentv1.GetTournamentResponse{})
}

// Enter enters our account under a name, or under its own if the name is empty.
func (t *Tournament) Enter(ctx context.Context, name string) (*tournamentv1.Tournament, error) {
	request := &tournamentv1.EnterTournamentRequest{TournamentId: t.ID, Name: name}
	return t.call(ctx, tournamentv1.TournamentService_EnterTournament_FullMethodName, request, &tournamentv1.EnterTournamentResponse{})
}

// Withdraw withdraws our account, which after the start resigns its matches.
func (t *Tournament) Withdraw(ctx context.Context) (*tournamentv1.Tournament, error) {
	return t.WithdrawAccount(ctx, "")
}

// WithdrawAccount withdraws an account. It is for the creator of the tournament.
func (t *Tournament) WithdrawAccount(ctx context.Context, accountID string) (*tournamentv1.Tournament, error) {
	request := &tournamentv1.WithdrawFromTournamentRequest{TournamentId: t.ID, AccountId: accountID}
	return t.call(ctx, tournamentv1.TournamentService_WithdrawFromTournament_FullMethodName, request, &tournamentv1.WithdrawFromTournamentResponse{})
}

// Start starts the tournament: nobody enters any more, and its matches begin. It is for the creator.
func (t *Tournament) Start(ctx context.Context) (*tournamentv1.Tournament, error) {
	request := &tournamentv1.StartTournamentRequest{TournamentId: t.ID}
	return t.call(ctx, tournamentv1.TournamentService_StartTournament_FullMethodName, request, &tournamentv1.StartTournamentResponse{})
}

// Cancel ends the tournament early; matches under way continue but do not count. It is for the creator.
func (t *Tournament) Cancel(ctx context.Context) (*tournamentv1.Tournament, error) {
	request := &tournamentv1.CancelTournamentRequest{TournamentId: t.ID}
	return t.call(ctx, tournamentv1.TournamentService_CancelTournament_FullMethodName, request, &tournamentv1.CancelTournamentResponse{})
}

// Standings returns the standings so far, best first.
func (t *Tournament) Standings(ctx context.Context) ([]*tournamentv1.TournamentStanding, error) {
	request := &tournamentv1.GetTournamentStandingsRequest{TournamentId: t.ID}
	reply := &tournamentv1.GetTournamentStandingsResponse{}
	err := t.client.Call(ctx, tournamentv1.TournamentService_GetTournamentStandings_FullMethodName, request, reply, "")
	return reply.GetStandings(), err
}

// Matches returns the matches so far with their results, in the order of the schedule. An error is the
// last pair; it is nil for all others.
func (t *Tournament) Matches(ctx context.Context) iter.Seq2[*tournamentv1.TournamentMatch, error] {
	return func(yield func(*tournamentv1.TournamentMatch, error) bool) {
		request := &tournamentv1.ListTournamentMatchesRequest{TournamentId: t.ID, PageSize: 100}
		for {
			reply := &tournamentv1.ListTournamentMatchesResponse{}
			if err := t.client.Call(ctx, tournamentv1.TournamentService_ListTournamentMatches_FullMethodName, request, reply, ""); err != nil {
				yield(nil, err)
				return
			}
			for _, match := range reply.GetMatches() {
				if !yield(match, nil) {
					return
				}
			}
			if reply.GetNextPageToken() == "" {
				return
			}
			request.PageToken = reply.GetNextPageToken()
		}
	}
}

// Watch returns what changes until the tournament has ended: first the tournament with all its matches
// so far, then what is new. A lost stream is opened again, and then begins like the first. An error is
// the last pair; it is nil for all others.
func (t *Tournament) Watch(ctx context.Context) iter.Seq2[*tournamentv1.WatchTournamentResponse, error] {
	service := tournamentv1.NewTournamentServiceClient(t.client.conn)
	request := &tournamentv1.WatchTournamentRequest{TournamentId: t.ID}
	open := func(ctx context.Context) (grpc.ServerStreamingClient[tournamentv1.WatchTournamentResponse], error) {
		return service.WatchTournament(t.client.authorized(ctx, ""), request)
	}
	take := func(message *tournamentv1.WatchTournamentResponse, yield func(*tournamentv1.WatchTournamentResponse) bool) (bool, *Error) {
		if message.GetTournament() == nil && len(message.GetMatches()) == 0 {
			return false, nil // a heartbeat
		}
		over := message.GetTournament().GetStatus() > tournamentv1.TournamentStatus_TOURNAMENT_STATUS_PLAYING
		return !yield(message) || over, nil
	}
	return updates(ctx, t.client, open, take)
}
