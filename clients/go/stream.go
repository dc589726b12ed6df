package taflhall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// receiver is the half of a stream that is read.
type receiver[T any] interface {
	Recv() (T, error)
	Trailer() metadata.MD
}

// watchdog ends a stream that falls silent.
type watchdog struct {
	timer  *time.Timer
	silent chan struct{}
}

func newWatchdog(silence time.Duration, end context.CancelFunc) *watchdog {
	w := &watchdog{silent: make(chan struct{})}
	w.timer = time.AfterFunc(silence, func() { close(w.silent); end() })
	return w
}

func (w *watchdog) stop() { w.timer.Stop() }

func (w *watchdog) barked() bool {
	select {
	case <-w.silent:
		return true
	default:
		return false
	}
}

// patience says when to open a lost stream again, and when to give up.
type patience struct {
	client *Client
	pauses *pauses
	heard  time.Time
}

func patienceOf(c *Client) *patience {
	return &patience{client: c, pauses: backoffOf(c.timing), heard: time.Now()}
}

// hear notes that the server spoke.
func (p *patience) hear() {
	p.client.notice(nil)
	p.heard = time.Now()
	p.pauses.reset()
}

// wait pauses before the next attempt, or returns the error if waiting does not help.
func (p *patience) wait(ctx context.Context, failure *Error) error {
	p.client.notice(failure)
	if !failure.repeatable() && failure.Reason != ReasonSlowConsumer {
		return failure
	}
	pause := p.pauses.next(failure)
	if time.Since(p.heard)+pause > p.client.patienceFor(p.client.timing.Patience) {
		return p.client.explained(failure)
	}
	if sleep(ctx, pause) != nil {
		return ended(ctx)
	}
	return nil
}

// ended returns the error of a stream whose context has ended.
func ended(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &Error{Reason: ReasonCancelled, Code: codes.Canceled, Message: "cancelled", cause: context.Canceled}
	}
	text := "the time of the context is up"
	return &Error{Reason: ReasonDeadlineExceeded, Code: codes.DeadlineExceeded, Message: text, cause: context.DeadlineExceeded}
}

// lost returns the error of a stream that ended though the match is not over.
func lost(format string, values ...any) *Error {
	return &Error{Reason: ReasonUnavailable, Code: codes.Unavailable, Message: fmt.Sprintf(format, values...)}
}

// over reports whether a stream ended because the match has.
func over(end *taflhallv1.StreamEnd) bool {
	cause := end.GetCause()
	return cause == taflhallv1.StreamEndCause_STREAM_END_CAUSE_FINISHED || cause == taflhallv1.StreamEndCause_STREAM_END_CAUSE_ABANDONED
}

// closed returns the error of a stream that the server has ended.
func closed(end *taflhallv1.StreamEnd) *Error {
	if end.GetCause() == taflhallv1.StreamEndCause_STREAM_END_CAUSE_REPLACED {
		return &Error{Reason: ReasonReplaced, Code: codes.Aborted, Message: "another caller acts for the seat now"}
	}
	return lost("the server closed the stream: %s", end.GetCause())
}
