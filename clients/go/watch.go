package taflhall

import (
	"context"
	"iter"

	"google.golang.org/grpc"

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
	w := &watch{match: m, request: request}
	return updates(ctx, m.client, w.open, w.take)
}

// watch is a watch of a match, across its streams.
type watch struct {
	match   *Match
	request *taflhallv1.WatchMatchRequest
	// begun says that a message came, of the revision at.
	begun bool
	at    int32
}

func (w *watch) open(ctx context.Context) (grpc.ServerStreamingClient[taflhallv1.WatchMatchResponse], error) {
	client := w.match.client
	return client.matches.WatchMatch(client.authorized(ctx, w.match.Secret), w.request)
}

// take handles a message; it reports whether the watch is over.
func (w *watch) take(message *taflhallv1.WatchMatchResponse, yield func(*taflhallv1.WatchMatchResponse) bool) (bool, *Error) {
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
		return !yield(message), nil
	case message.GetPresence() != nil || message.GetReaction() != nil:
		return !yield(message), nil
	case over(end):
		yield(message)
		return true, nil
	case end != nil:
		return false, closed(end)
	}
	return false, nil
}
