package taflhall

import (
	"context"
	"errors"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// Match is a hosted match, as the owner of a secret (or a spectator without one) may use it.
type Match struct {
	client *Client
	// ID names the match.
	ID string
	// Secret proves the seats, or the right to start; keep it to come back.
	Secret string
	// Seats are those taken by Join; empty otherwise.
	Seats []int32
	// JoinCode lets its bearer join; known to who has created the match.
	JoinCode string
}

// JoinOption is an option of [Match.Join].
type JoinOption func(*taflhallv1.JoinMatchRequest)

// Seats are the seats wanted; without them it is the lowest free one.
func Seats(seats ...int32) JoinOption {
	return func(r *taflhallv1.JoinMatchRequest) { r.Seats = seats }
}

// AsBot says that a program sits there.
func AsBot() JoinOption {
	return func(r *taflhallv1.JoinMatchRequest) { r.Kind = taflhallv1.SeatKind_SEAT_KIND_BOT }
}

// Join takes seats under a name and returns the match as it is seen from there.
func (m *Match) Join(ctx context.Context, name string, options ...JoinOption) (*Match, error) {
	request := &taflhallv1.JoinMatchRequest{MatchId: m.ID, Name: name, RequestId: newRequestID()}
	who := m.client.key // the account joins
	if who == "" {
		who = m.Secret
	}
	return m.client.join(ctx, request, who, options)
}

func (c *Client) join(ctx context.Context, request *taflhallv1.JoinMatchRequest, who string, options []JoinOption) (*Match, error) {
	for _, option := range options {
		option(request)
	}
	reply := &taflhallv1.JoinMatchResponse{}
	if err := c.Call(ctx, taflhallv1.MatchService_JoinMatch_FullMethodName, request, reply, who); err != nil {
		return nil, err
	}
	return &Match{client: c, ID: reply.GetMatch().GetId(), Secret: reply.GetSeatSecret(), Seats: reply.GetSeats()}, nil
}

// Start starts the match; every seat must be taken.
func (m *Match) Start(ctx context.Context) (*taflhallv1.Match, error) {
	request, reply := &taflhallv1.StartMatchRequest{MatchId: m.ID}, &taflhallv1.StartMatchResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_StartMatch_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Get returns the match as it is, with the view and the options of the lowest of our seats.
func (m *Match) Get(ctx context.Context) (*taflhallv1.GetMatchResponse, error) {
	return m.get(ctx, nil)
}

// GetSeat returns the match as it is, with the view and the options of a seat.
func (m *Match) GetSeat(ctx context.Context, seat int32) (*taflhallv1.GetMatchResponse, error) {
	return m.get(ctx, &seat)
}

func (m *Match) get(ctx context.Context, seat *int32) (*taflhallv1.GetMatchResponse, error) {
	request := &taflhallv1.GetMatchRequest{
		MatchId: m.ID, WithView: true, WithOptions: true, Seat: seat, Language: m.client.language,
	}
	reply := &taflhallv1.GetMatchResponse{}
	return reply, m.client.Call(ctx, taflhallv1.MatchService_GetMatch_FullMethodName, request, reply, m.Secret)
}

// Decision returns the pending decision of the lowest of our seats that has one, with its options;
// nil if none is pending.
func (m *Match) Decision(ctx context.Context) (*taflhallv1.Decision, error) {
	request := &taflhallv1.GetMatchRequest{MatchId: m.ID, WithOptions: true, Language: m.client.language}
	state := &taflhallv1.GetMatchResponse{}
	if err := m.client.Call(ctx, taflhallv1.MatchService_GetMatch_FullMethodName, request, state, m.Secret); err != nil {
		return nil, err
	}
	for _, decision := range state.GetDecisions() {
		if len(decision.GetOptions()) > 0 {
			return decision, nil
		}
	}
	return nil, nil
}

// Option answers a decision with the option of that index.
func Option(index int) *taflhallv1.DecisionAnswer {
	return &taflhallv1.DecisionAnswer{Answer: &taflhallv1.DecisionAnswer_Option{Option: int32(index)}}
}

// Command answers a decision with a command.
func Command(command *taflhallv1.Command) *taflhallv1.DecisionAnswer {
	return &taflhallv1.DecisionAnswer{Answer: &taflhallv1.DecisionAnswer_Command{Command: command}}
}

// Submit answers a decision, and those of the same seat that follow it if there are several answers.
// The first refused answer ends the list; those before it stand. The response has the next decision.
func (m *Match) Submit(ctx context.Context, decisionID string, answers ...*taflhallv1.DecisionAnswer) (*taflhallv1.SubmitAnswersResponse, error) {
	return m.SubmitAs(ctx, newRequestID(), decisionID, answers...)
}

// SubmitAs is Submit with a request id of the caller's, which makes it safe to repeat the call in
// another process.
func (m *Match) SubmitAs(ctx context.Context, requestID, decisionID string, answers ...*taflhallv1.DecisionAnswer) (*taflhallv1.SubmitAnswersResponse, error) {
	request := &taflhallv1.SubmitAnswersRequest{
		MatchId: m.ID, DecisionId: decisionID, RequestId: requestID, Answers: answers,
		WithOptions: true, Language: m.client.language,
	}
	reply := &taflhallv1.SubmitAnswersResponse{}
	return reply, m.client.Call(ctx, taflhallv1.MatchService_SubmitAnswers_FullMethodName, request, reply, m.Secret)
}

// Explain says whether a command of the lowest of our seats would be legal now, and why not; nothing
// changes.
func (m *Match) Explain(ctx context.Context, command *taflhallv1.Command) (*taflhallv1.ExplainCommandResponse, error) {
	return m.explain(ctx, command, nil)
}

// ExplainSeat is Explain for a command of another of our seats.
func (m *Match) ExplainSeat(ctx context.Context, seat int32, command *taflhallv1.Command) (*taflhallv1.ExplainCommandResponse, error) {
	return m.explain(ctx, command, &seat)
}

func (m *Match) explain(ctx context.Context, command *taflhallv1.Command, seat *int32) (*taflhallv1.ExplainCommandResponse, error) {
	language := m.client.language
	if language == "" {
		language = "en"
	}
	request := &taflhallv1.ExplainCommandRequest{MatchId: m.ID, Command: command, Seat: seat, Language: language}
	reply := &taflhallv1.ExplainCommandResponse{}
	return reply, m.client.Call(ctx, taflhallv1.MatchService_ExplainCommand_FullMethodName, request, reply, m.Secret)
}

// Resign gives the match up for a seat.
func (m *Match) Resign(ctx context.Context, seat int32) (*taflhallv1.Match, error) {
	request := &taflhallv1.ResignSeatRequest{MatchId: m.ID, Seat: &seat, RequestId: newRequestID()}
	reply := &taflhallv1.ResignSeatResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_ResignSeat_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Leave frees all our seats before the match starts.
func (m *Match) Leave(ctx context.Context) (*taflhallv1.Match, error) {
	request := &taflhallv1.LeaveMatchRequest{MatchId: m.ID, RequestId: newRequestID()}
	reply := &taflhallv1.LeaveMatchResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_LeaveMatch_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Delegate lets a deputy act for a seat until we reclaim it, and returns the match as the deputy
// sees it.
func (m *Match) Delegate(ctx context.Context, seat int32, name string, kind taflhallv1.SeatKind) (*Match, error) {
	request := &taflhallv1.DelegateSeatRequest{
		MatchId: m.ID, Seat: &seat, Name: name, Kind: kind, RequestId: newRequestID(),
	}
	reply := &taflhallv1.DelegateSeatResponse{}
	if err := m.client.Call(ctx, taflhallv1.MatchService_DelegateSeat_FullMethodName, request, reply, m.Secret); err != nil {
		return nil, err
	}
	return &Match{client: m.client, ID: m.ID, Secret: reply.GetDeputySecret(), Seats: []int32{seat}}, nil
}

// Reclaim dismisses the deputy or the stand-in of a seat.
func (m *Match) Reclaim(ctx context.Context, seat int32) (*taflhallv1.Match, error) {
	request := &taflhallv1.ReclaimSeatRequest{MatchId: m.ID, Seat: &seat}
	reply := &taflhallv1.ReclaimSeatResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_ReclaimSeat_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Undo proposes to take the latest answer of the lowest of our seats back. If no other consent is
// needed, it happens at once, and the match returned has no proposal.
func (m *Match) Undo(ctx context.Context) (*taflhallv1.Match, error) {
	what := &taflhallv1.ProposeToPlayersRequest_Undo{Undo: &taflhallv1.UndoProposal{}}
	return m.propose(ctx, &taflhallv1.ProposeToPlayersRequest{What: what})
}

// Abandon ends the match without a winner, or proposes it to the others who play. Before the start
// only its creator may do so.
func (m *Match) Abandon(ctx context.Context) (*taflhallv1.Match, error) {
	request := &taflhallv1.AbandonMatchRequest{MatchId: m.ID, RequestId: newRequestID()}
	reply := &taflhallv1.AbandonMatchResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_AbandonMatch_FullMethodName, request, reply, m.Secret)
	if !errors.Is(err, ReasonConsentRequired) {
		return reply.GetMatch(), err
	}
	what := &taflhallv1.ProposeToPlayersRequest_Abandon{Abandon: &taflhallv1.AbandonProposal{}}
	return m.propose(ctx, &taflhallv1.ProposeToPlayersRequest{What: what})
}

func (m *Match) propose(ctx context.Context, request *taflhallv1.ProposeToPlayersRequest) (*taflhallv1.Match, error) {
	request.MatchId, request.RequestId = m.ID, newRequestID()
	reply := &taflhallv1.ProposeToPlayersResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_ProposeToPlayers_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// Respond agrees to a proposal for all our seats, or refuses it.
func (m *Match) Respond(ctx context.Context, proposalID string, agree bool) (*taflhallv1.Match, error) {
	request := &taflhallv1.RespondToProposalRequest{
		MatchId: m.ID, ProposalId: proposalID, Agree: agree, RequestId: newRequestID(),
	}
	reply := &taflhallv1.RespondToProposalResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_RespondToProposal_FullMethodName, request, reply, m.Secret)
	return reply.GetMatch(), err
}

// React shows a reaction of the lowest of our seats to those who follow the match now.
func (m *Match) React(ctx context.Context, reaction taflhallv1.Reaction) error {
	request := &taflhallv1.SendReactionRequest{MatchId: m.ID, Reaction: reaction}
	reply := &taflhallv1.SendReactionResponse{}
	return m.client.Call(ctx, taflhallv1.MatchService_SendReaction_FullMethodName, request, reply, m.Secret)
}

// Record returns the record of a match that is over.
func (m *Match) Record(ctx context.Context) (*taflhallv1.MatchRecord, error) {
	request := &taflhallv1.GetMatchRecordRequest{MatchId: m.ID, Language: m.client.language}
	reply := &taflhallv1.GetMatchRecordResponse{}
	err := m.client.Call(ctx, taflhallv1.MatchService_GetMatchRecord_FullMethodName, request, reply, m.Secret)
	return reply.GetRecord(), err
}

// ViewAt returns what the lowest of our seats could know at an earlier revision.
func (m *Match) ViewAt(ctx context.Context, revision int32) (*taflhallv1.GetMatchViewResponse, error) {
	request := &taflhallv1.GetMatchViewRequest{MatchId: m.ID, Revision: revision, Language: m.client.language}
	reply := &taflhallv1.GetMatchViewResponse{}
	return reply, m.client.Call(ctx, taflhallv1.MatchService_GetMatchView_FullMethodName, request, reply, m.Secret)
}
