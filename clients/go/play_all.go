package taflhall

import (
	"context"
	"io"
	"maps"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// PlayAllOption is an option of [Client.PlayAll].
type PlayAllOption func(*allMatches)

// Offer accepts invitations of the account, which is of kind bot: to at most so many matches at once
// (0: as many as the server lets one stream hold) of these games, or of all if none is named.
func Offer(maxMatches int, games ...string) PlayAllOption {
	return func(a *allMatches) {
		a.enter.Offer = &taflhallv1.PlayAllOffer{MaxMatches: int32(maxMatches), Games: games}
	}
}

// AtSeats plays these seats too, for a client without an API key. Without a key, PlayAll returns when
// all of them have ended.
func AtSeats(matches ...*Match) PlayAllOption {
	return func(a *allMatches) {
		for _, m := range matches {
			a.seats[m.ID] = m.Secret
		}
	}
}

// OnEnd calls a function when a match has left the stream: with the match that is over, or with the
// reason why the account no longer plays it.
func OnEnd(do func(matchID string, match *taflhallv1.Match, err error)) PlayAllOption {
	return func(a *allMatches) { a.onEnd = do }
}

// WithPlay sets how all matches are played, as in [Match.Play].
func WithPlay(options ...PlayOption) PlayAllOption {
	return func(a *allMatches) {
		single := &taflhallv1.PlayEnter{WithView: true}
		for _, option := range options {
			option(single)
		}
		a.enter.WithView, a.enter.WithEvents = single.GetWithView(), single.GetWithEvents()
		a.enter.Proposals = single.GetProposals()
	}
}

// PlayAll plays all matches of the account over one stream, those too that it enters later, until the
// context ends. newBot returns the bot of a match that has entered. A lost stream is opened again. A
// bot that fails, or whose answer the rules forbid, is asked no more in that match.
func (c *Client) PlayAll(ctx context.Context, newBot func(*taflhallv1.PlayAllEntered) Bot, options ...PlayAllOption) error {
	a := &allMatches{
		client: c,
		newBot: newBot,
		enter:  &taflhallv1.PlayAllEnter{WithView: true, Language: c.language},
		seats:  map[string]string{},
		onEnd:  func(string, *taflhallv1.Match, error) {},
	}
	for _, option := range options {
		option(a)
	}
	return persist(ctx, c, func(waiting *patience) *Error { return a.stream(ctx, waiting) })
}

// allMatches is what PlayAll knows across its streams.
type allMatches struct {
	client *Client
	newBot func(*taflhallv1.PlayAllEntered) Bot
	enter  *taflhallv1.PlayAllEnter
	// seats are the secrets of the seats that are still to play, by match.
	seats map[string]string
	onEnd func(string, *taflhallv1.Match, error)
}

// table is a match of one stream.
type table struct {
	mind thinking
	last *taflhallv1.PlayAnswer
}

// allStream is one stream of all matches.
type allStream struct {
	*allMatches
	ctx      context.Context
	say      func(*taflhallv1.PlayAllRequest)
	tables   map[string]*table
	thoughts chan thought
}

// stream plays over one stream; it returns nil when all seats are played, or why it was lost.
func (a *allMatches) stream(ctx context.Context, waiting *patience) *Error {
	client := a.client
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.matches.PlayAll(client.authorized(ctx, ""))
	if err != nil {
		return errorOf(err, metadata.MD{}, client.language)
	}
	s := &allStream{
		allMatches: a,
		ctx:        ctx,
		say:        func(r *taflhallv1.PlayAllRequest) { stream.Send(r) }, // reading says why it fails
		tables:     map[string]*table{},
		thoughts:   make(chan thought, 64),
	}
	request := &taflhallv1.PlayAllRequest{Enter: a.enter}
	for _, id := range slices.Sorted(maps.Keys(a.seats)) {
		request.Seats = append(request.Seats, &taflhallv1.SeatCredential{MatchId: id, SeatSecret: a.seats[id]})
	}
	s.say(request)
	messages := make(chan heard[*taflhallv1.PlayAllResponse])
	go listen(ctx, stream, messages)
	dog := waiting.guard(cancel)
	defer dog.stop()
	for {
		select {
		case <-dog.silent:
			return lost("the stream fell silent")
		case <-ctx.Done():
			return ended(ctx)
		case t := <-s.thoughts:
			s.answer(t)
		case h := <-messages:
			if h.err == io.EOF {
				return lost("the stream ended")
			}
			if h.err != nil {
				return errorOf(h.err, stream.Trailer(), client.language)
			}
			waiting.hear()
			for _, update := range h.message.GetUpdates() {
				if failure := s.take(update); failure != nil {
					return failure
				}
			}
			if client.key == "" && len(a.seats) == 0 {
				return nil
			}
		}
	}
}

// answer sends what the bots have answered by now.
func (s *allStream) answer(t thought) {
	request := &taflhallv1.PlayAllRequest{}
	for {
		at := s.tables[t.matchID]
		switch {
		case at == nil || !at.mind.done(t.decisionID):
		case t.err != nil:
			s.leave(t.matchID, nil, t.err)
		default:
			at.last = t.answer()
			request.Answers = append(request.Answers, &taflhallv1.PlayAllAnswer{MatchId: t.matchID, Answer: at.last})
		}
		select {
		case t = <-s.thoughts:
			continue
		default:
		}
		break
	}
	if len(request.Answers) > 0 {
		s.say(request)
	}
}

// take handles what is new about a match; it returns why the stream is to be opened again.
func (s *allStream) take(update *taflhallv1.PlayAllUpdate) *Error {
	id, play := update.GetMatchId(), update.GetPlay()
	at := s.tables[id]
	switch {
	case update.GetEntered() != nil:
		s.tables[id] = &table{mind: thinking{matchID: id, bot: s.newBot(update.GetEntered()), thoughts: s.thoughts}}
	case update.GetFailure() != nil:
		failure := update.GetFailure()
		rejection := &taflhallv1.PlayRejection{Reason: failure.GetReason(), Metadata: failure.GetMetadata()}
		s.leave(id, nil, errorOfRejection(rejection, s.client.language))
	case at == nil:
	case play.GetPrompt() != nil:
		at.mind.consider(s.ctx, play.GetPrompt())
	case play.GetRejection() != nil:
		failure := errorOfRejection(play.GetRejection(), s.client.language)
		switch {
		case settled(failure):
		case !failure.Uncertain():
			s.leave(id, nil, failure)
		case at.last.GetDecisionId() == play.GetRejection().GetDecisionId():
			if sleep(s.ctx, repeatPause) == nil {
				s.say(&taflhallv1.PlayAllRequest{Answers: []*taflhallv1.PlayAllAnswer{{MatchId: id, Answer: at.last}}})
			}
		}
	case over(play.GetEnd()):
		s.leave(id, play.GetEnd().GetMatch(), nil)
	case play.GetEnd() != nil:
		if failure := closed(play.GetEnd()); failure.Code != codes.Aborted {
			return failure
		}
		s.leave(id, nil, closed(play.GetEnd()))
	}
	return nil
}

// leave notes that a match is no longer played here.
func (s *allStream) leave(id string, match *taflhallv1.Match, err error) {
	if at := s.tables[id]; at != nil {
		at.mind.stop()
	}
	delete(s.tables, id)
	delete(s.seats, id)
	s.onEnd(id, match, err)
}
