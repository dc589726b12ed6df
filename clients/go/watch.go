package taflhall

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc/metadata"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// WatchOption is an option of [Match.Watch].
type WatchOption func(*taflhallv1.WatchMatchRequest)

// After begins right after the message that had this resume token, not with a snapshot.
func After(resumeToken string) WatchOption {
	return func(r *taflhallv1.WatchMatchRequest) { r.ResumeToken = resumeToken }
}

// WithViews requests the view with every change.
func WithViews() WatchOption {
	return func(r *taflhallv1.WatchMatchRequest) { r.WithView = true }
}

// WithOptions requests the options of our decisions.
func WithOptions() WatchOption {
	return func(r *taflhallv1.WatchMatchRequest) { r.WithOptions = true }
}

// FromSeat watches from a seat, for a caller who holds several.
func FromSeat(seat int32) WatchOption {
	return func(r *taflhallv1.WatchMatchRequest) { r.Seat = &seat }
}

// WithPresence requests which players are there, at the beginning and after each change.
func WithPresence() WatchOption {
	return func(r *taflhallv1.WatchMatchRequest) { r.WithPresence = true }
}

// WithReactions requests the reactions of the seats.
func WithReactions() WatchOption {
	return func(r *taflhallv1.WatchMatchRequest) { r.WithReactions = true }
}

// Watch returns what happens until the match is over: a snapshot, then one change after another, and
// in the end a message with an End.
//
// A lost stream is opened again after the last message. A change comes once: one that is repeated is
// dropped, and where one is missing the stream is opened again. After a snapshot in between, whose
// cause says why, what was known before is void. An error is the last pair; it is nil for all others.
//
//	for update, err := range match.Watch(ctx) {
//		if err != nil { return err }
//		fmt.Println(update.GetRevision(), update.GetChange().GetEvents())
//	}
func (m *Match) Watch(ctx context.Context, options ...WatchOption) iter.Seq2[*taflhallv1.WatchMatchResponse, error] {
	request := &taflhallv1.WatchMatchRequest{MatchId: m.ID, Language: m.client.language}
	for _, option := range options {
		option(request)
	}
	return func(yield func(*taflhallv1.WatchMatchResponse, error) bool) {
		w := &watch{match: m, request: request, yield: yield, waiting: patienceOf(m.client)}
		for {
			failure := w.stream(ctx)
			if failure == nil {
				return
			}
			if ctx.Err() != nil {
				yield(nil, ended(ctx))
				return
			}
			if err := w.waiting.wait(ctx, failure); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

type watch struct {
	match   *Match
	request *taflhallv1.WatchMatchRequest
	yield   func(*taflhallv1.WatchMatchResponse, error) bool
	waiting *patience
	// begun says that a message came, of the revision at.
	begun bool
	at    int32
}

// stream reads one stream; it returns nil when the watch is over, or why the stream was lost.
func (w *watch) stream(ctx context.Context) *Error {
	client := w.match.client
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.matches.WatchMatch(client.authorized(ctx, w.match.Secret), w.request)
	if err != nil {
		return errorOf(err, metadata.MD{}, client.language)
	}
	dog := newWatchdog(client.timing.Silence, cancel)
	defer dog.stop()
	for {
		message, err := stream.Recv()
		switch {
		case dog.barked():
			return lost("the stream fell silent")
		case err == io.EOF:
			return lost("the stream ended")
		case err != nil:
			return errorOf(err, stream.Trailer(), client.language)
		}
		dog.timer.Reset(client.timing.Silence)
		w.waiting.hear()
		if done, failure := w.take(message); done || failure != nil {
			return failure
		}
	}
}

// take handles a message; it reports whether the watch is over.
func (w *watch) take(message *taflhallv1.WatchMatchResponse) (bool, *Error) {
	change, snapshot, end := message.GetChange(), message.GetSnapshot(), message.GetEnd()
	if change != nil && w.begun && message.GetRevision() != w.at+1 {
		if message.GetRevision() <= w.at {
			return false, nil
		}
		return false, lost("the stream skipped revision %d", w.at+1)
	}
	if token := message.GetResumeToken(); token != "" {
		w.request.ResumeToken = token
	}
	switch {
	case change != nil || snapshot != nil:
		w.begun, w.at = true, message.GetRevision()
		return !w.yield(message, nil), nil
	case message.GetPresence() != nil || message.GetReaction() != nil:
		return !w.yield(message, nil), nil
	case over(end):
		w.yield(message, nil)
		return true, nil
	case end != nil:
		return false, closed(end)
	}
	return false, nil
}
