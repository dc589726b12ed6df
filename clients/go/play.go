package taflhall

import (
	"context"
	"io"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/metadata"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// Bot answers decisions.
type Bot interface {
	// Choose returns the index of an option of the decision. The context ends when the answer is no
	// longer wanted. An error ends [Match.Play] with it; to give up, resign the seat.
	Choose(ctx context.Context, prompt *taflhallv1.PlayPrompt) (int, error)
}

// BotFunc is a function that is a [Bot].
type BotFunc func(ctx context.Context, prompt *taflhallv1.PlayPrompt) (int, error)

// Choose calls the function.
func (f BotFunc) Choose(ctx context.Context, prompt *taflhallv1.PlayPrompt) (int, error) {
	return f(ctx, prompt)
}

// RandomBot returns a bot that takes any option. It is meant for one match at a time.
func RandomBot(seed uint64) Bot {
	rng := rand.New(rand.NewPCG(seed, 0))
	return BotFunc(func(_ context.Context, prompt *taflhallv1.PlayPrompt) (int, error) {
		return rng.IntN(len(prompt.GetDecision().GetOptions())), nil
	})
}

// PlayOption is an option of [Match.Play].
type PlayOption func(*taflhallv1.PlayEnter)

// WithoutViews leaves the views out of the prompts, for a bot that does not look at them.
func WithoutViews() PlayOption { return func(e *taflhallv1.PlayEnter) { e.WithView = false } }

// WithEvents requests the events since the last prompt with each prompt; none is lost with a stream.
func WithEvents() PlayOption { return func(e *taflhallv1.PlayEnter) { e.WithEvents = true } }

// Proposals says what is replied to all proposals of others while the bot plays.
func Proposals(policy taflhallv1.ProposalPolicy) PlayOption {
	return func(e *taflhallv1.PlayEnter) { e.Proposals = policy }
}

// repeatPause is the pause before an answer of unknown outcome is sent again on its stream.
const repeatPause = 200 * time.Millisecond

// Play lets a bot answer every decision of our seats until the match is over, and returns the match.
// A lost stream is opened again. The stream is read while the bot thinks, so a bot that never answers
// ends with its match.
func (m *Match) Play(ctx context.Context, bot Bot, options ...PlayOption) (*taflhallv1.Match, error) {
	enter := &taflhallv1.PlayEnter{MatchId: m.ID, WithView: true, Language: m.client.language}
	for _, option := range options {
		option(enter)
	}
	var final *taflhallv1.Match
	var fault error
	err := persist(ctx, m.client, func(waiting *patience) (failure *Error) {
		final, failure, fault = m.converse(ctx, enter, bot, waiting)
		return failure
	})
	if err == nil {
		err = fault
	}
	return final, err
}

// thought is what a bot answered to a prompt.
type thought struct {
	matchID    string
	decisionID string
	option     int
	err        error
}

func (t thought) answer() *taflhallv1.PlayAnswer {
	answers := []*taflhallv1.DecisionAnswer{Option(t.option)}
	return &taflhallv1.PlayAnswer{DecisionId: t.decisionID, Answers: answers}
}

// heard is a message of a stream, or its end.
type heard[T any] struct {
	message T
	err     error
}

// converse plays over one stream. It returns the match that is over, why the stream was lost, or an
// error that ends the game.
func (m *Match) converse(ctx context.Context, enter *taflhallv1.PlayEnter, bot Bot, waiting *patience) (*taflhallv1.Match, *Error, error) {
	client := m.client
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.matches.Play(client.authorized(ctx, m.Secret))
	if err != nil {
		return nil, errorOf(err, metadata.MD{}, client.language), nil
	}
	say := func(answer *taflhallv1.PlayAnswer) { // if the stream has ended, reading says why
		stream.Send(&taflhallv1.PlayRequest{Request: &taflhallv1.PlayRequest_Answer{Answer: answer}})
	}
	stream.Send(&taflhallv1.PlayRequest{Request: &taflhallv1.PlayRequest_Enter{Enter: enter}})
	messages := make(chan heard[*taflhallv1.PlayResponse])
	go listen(ctx, stream, messages)
	thoughts := make(chan thought)
	mind := thinking{matchID: m.ID, bot: bot, thoughts: thoughts}
	defer func() { mind.stop() }()
	dog := waiting.guard(cancel)
	defer dog.stop()
	var last *taflhallv1.PlayAnswer
	token := "" // of the newest prompt
	for {
		select {
		case <-dog.silent:
			return nil, lost("the stream fell silent"), nil
		case <-ctx.Done():
			return nil, ended(ctx), nil
		case t := <-thoughts:
			if t.err != nil {
				return nil, nil, t.err
			}
			if mind.done(t.decisionID) {
				last = t.answer()
				say(last)
				if token != "" {
					enter.ResumeToken = token
				}
			}
		case h := <-messages:
			if h.err == io.EOF {
				return nil, lost("the stream ended"), nil
			}
			if h.err != nil {
				return nil, errorOf(h.err, stream.Trailer(), client.language), nil
			}
			waiting.hear()
			switch message := h.message; {
			case message.GetPrompt() != nil:
				token = message.GetPrompt().GetResumeToken()
				mind.consider(ctx, message.GetPrompt())
			case message.GetRejection() != nil:
				failure := errorOfRejection(message.GetRejection(), client.language)
				if settled(failure) {
					continue
				}
				if !failure.Uncertain() {
					return nil, nil, failure
				}
				if last != nil && last.GetDecisionId() == message.GetRejection().GetDecisionId() {
					if sleep(ctx, repeatPause) == nil {
						say(last)
					}
				}
			case over(message.GetEnd()):
				return message.GetEnd().GetMatch(), nil, nil
			case message.GetEnd() != nil:
				return nil, closed(message.GetEnd()), nil
			}
		}
	}
}

// settled reports whether an answer was rejected because its decision had been answered.
func settled(e *Error) bool {
	return e.Reason == ReasonStaleDecision || e.Reason == ReasonMatchOver || e.Reason == ReasonRequestIDReused
}

// listen sends what a stream says to a channel, in the end its error.
func listen[T any](ctx context.Context, stream receiver[T], to chan<- heard[T]) {
	for {
		message, err := stream.Recv()
		select {
		case to <- heard[T]{message, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// thinking is a bot at work on one decision, the newest that was asked.
type thinking struct {
	matchID  string
	bot      Bot
	thoughts chan<- thought
	asked    string
	cancel   context.CancelFunc
}

// consider asks the bot, unless it thinks about that decision already.
func (t *thinking) consider(ctx context.Context, prompt *taflhallv1.PlayPrompt) {
	id := prompt.GetDecision().GetId()
	if t.asked == id {
		return
	}
	t.stop()
	ctx, cancel := context.WithCancel(ctx)
	t.asked, t.cancel = id, cancel
	go func() {
		option, err := t.bot.Choose(ctx, prompt)
		select {
		case t.thoughts <- thought{t.matchID, id, option, err}:
		case <-ctx.Done():
		}
	}()
}

// done notes that the bot has answered; it reports whether that answer is still wanted.
func (t *thinking) done(id string) bool {
	wanted := t.asked == id
	if wanted {
		t.stop()
	}
	return wanted
}

// stop ends the thinking.
func (t *thinking) stop() {
	if t.cancel != nil {
		t.cancel()
	}
	t.asked, t.cancel = "", nil
}
