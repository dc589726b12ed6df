package taflhall

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// FindOption is an option of [Client.FindMatch].
type FindOption func(*taflhallv1.FindMatchRequest)

// FindAsBot says that a program sits down.
func FindAsBot() FindOption {
	return func(r *taflhallv1.FindMatchRequest) { r.Kind = taflhallv1.SeatKind_SEAT_KIND_BOT }
}

// FindWithTimeControl seeks a match with this time control, instead of one without.
func FindWithTimeControl(t *taflhallv1.TimeControl) FindOption {
	return func(r *taflhallv1.FindMatchRequest) { r.TimeControl = t }
}

// FindMatch sits down under a name at an open match with this setup, or at a new one, which starts
// when it is full.
func (c *Client) FindMatch(ctx context.Context, setup *taflhallv1.Setup, name string, options ...FindOption) (*Match, error) {
	request := &taflhallv1.FindMatchRequest{Setup: setup, Name: name, RequestId: newRequestID(), Language: c.language}
	for _, option := range options {
		option(request)
	}
	reply := &taflhallv1.FindMatchResponse{}
	if err := c.Call(ctx, taflhallv1.LobbyService_FindMatch_FullMethodName, request, reply, ""); err != nil {
		return nil, err
	}
	return &Match{
		client: c, ID: reply.GetMatch().GetId(), Secret: reply.GetSeatSecret(), Seats: []int32{reply.GetSeat()},
	}, nil
}

// JoinByCode takes a seat under a name in the match with that join code.
func (c *Client) JoinByCode(ctx context.Context, code, name string, options ...JoinOption) (*Match, error) {
	request := &taflhallv1.JoinMatchRequest{JoinCode: code, Name: name, RequestId: newRequestID()}
	return c.join(ctx, request, c.key, options)
}

// WatchLobby returns what changes among the matches that pass the filter, until the context ends. List
// the matches once the watch has begun, and again after an update with Lost. A lost stream is opened
// again after the last message. An error is the last pair; it is nil for all others.
func (c *Client) WatchLobby(ctx context.Context, filter *taflhallv1.ListMatchesRequest) iter.Seq2[*taflhallv1.LobbyUpdate, error] {
	request := &taflhallv1.WatchLobbyRequest{Filter: &taflhallv1.ListMatchesRequest{Language: c.language}}
	proto.Merge(request.Filter, filter)
	open := func(ctx context.Context) (grpc.ServerStreamingClient[taflhallv1.WatchLobbyResponse], error) {
		return c.lobby.WatchLobby(c.authorized(ctx, ""), request)
	}
	take := func(message *taflhallv1.WatchLobbyResponse, yield func(*taflhallv1.LobbyUpdate) bool) (bool, *Error) {
		for _, update := range message.GetUpdates() {
			if !yield(update) {
				return true, nil
			}
		}
		request.ResumeToken = message.GetResumeToken()
		return false, nil
	}
	return updates(ctx, c, open, take)
}

// Invite reserves the lowest free seat for an account. It is for the creator of the match.
func (m *Match) Invite(ctx context.Context, accountID string) (*taflhallv1.Match, error) {
	return m.invite(ctx, accountID, nil)
}

// InviteToSeat reserves a seat for an account. It is for the creator of the match.
func (m *Match) InviteToSeat(ctx context.Context, accountID string, seat int32) (*taflhallv1.Match, error) {
	return m.invite(ctx, accountID, &seat)
}

func (m *Match) invite(ctx context.Context, accountID string, seat *int32) (*taflhallv1.Match, error) {
	request := &taflhallv1.InviteToMatchRequest{
		MatchId: m.ID, AccountId: accountID, Seat: seat, RequestId: newRequestID(),
	}
	reply := &taflhallv1.InviteToMatchResponse{}
	err := m.client.Call(ctx, taflhallv1.LobbyService_InviteToMatch_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Decline gives back the seats that are reserved for our account.
func (m *Match) Decline(ctx context.Context) error {
	request := &taflhallv1.DeclineInvitationRequest{MatchId: m.ID, RequestId: newRequestID()}
	reply := &taflhallv1.DeclineInvitationResponse{}
	return m.client.Call(ctx, taflhallv1.LobbyService_DeclineInvitation_FullMethodName, request, reply, m.Secret)
}

// Remove frees a seat before the start, whoever holds it. It is for the creator of the match.
func (m *Match) Remove(ctx context.Context, seat int32) (*taflhallv1.Match, error) {
	request := &taflhallv1.RemovePlayerRequest{MatchId: m.ID, Seat: seat, RequestId: newRequestID()}
	reply := &taflhallv1.RemovePlayerResponse{}
	err := m.client.Call(ctx, taflhallv1.LobbyService_RemovePlayer_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// AddBot lets a bot of the server take the lowest free seat: one of those that [Client.Games] lists. It
// is for the creator of the match.
func (m *Match) AddBot(ctx context.Context, botID string) (*taflhallv1.Match, error) {
	return m.addBot(ctx, botID, nil)
}

// AddBotToSeat lets a bot of the server take a seat. It is for the creator of the match.
func (m *Match) AddBotToSeat(ctx context.Context, botID string, seat int32) (*taflhallv1.Match, error) {
	return m.addBot(ctx, botID, &seat)
}

func (m *Match) addBot(ctx context.Context, botID string, seat *int32) (*taflhallv1.Match, error) {
	request := &taflhallv1.AddBotRequest{MatchId: m.ID, BotId: botID, Seat: seat, RequestId: newRequestID()}
	reply := &taflhallv1.AddBotResponse{}
	err := m.client.Call(ctx, taflhallv1.LobbyService_AddBot_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Rematch sits down at the rematch of this match, which is over, and returns it as it is seen from
// there. It starts when all players have come.
func (m *Match) Rematch(ctx context.Context) (*Match, error) {
	request := &taflhallv1.JoinRematchRequest{MatchId: m.ID, RequestId: newRequestID()}
	reply := &taflhallv1.JoinRematchResponse{}
	if err := m.client.Call(ctx, taflhallv1.LobbyService_JoinRematch_FullMethodName, request, reply, m.Secret); err != nil {
		return nil, err
	}
	return &Match{client: m.client, ID: reply.GetMatch().GetId(), Secret: reply.GetSeatSecret(), Seats: reply.GetSeats()}, nil
}

// History returns what the lowest of our seats may know of the revisions from first up to the newest,
// in order. An error is the last pair; it is nil for all others.
func (m *Match) History(ctx context.Context, first int32) iter.Seq2[*taflhallv1.RevisionEvents, error] {
	request := &taflhallv1.ListMatchEventsRequest{MatchId: m.ID, FirstRevision: first, Language: m.client.language}
	return func(yield func(*taflhallv1.RevisionEvents, error) bool) {
		for {
			reply := &taflhallv1.ListMatchEventsResponse{}
			if err := m.client.Call(ctx, taflhallv1.MatchService_ListMatchEvents_FullMethodName, request, reply, m.Secret); err != nil {
				yield(nil, err)
				return
			}
			for _, revision := range reply.GetRevisions() {
				if !yield(revision, nil) {
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
