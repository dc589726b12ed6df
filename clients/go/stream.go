package taflhall

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// receiver is the half of a stream that is read.
type receiver[T any] interface {
	Recv() (T, error)
	Trailer() metadata.MD
}

// updates returns what take delivers of the messages of a stream, which is opened again when it is lost.
// take reports whether nothing more is wanted, or why the stream is lost. An error is the last pair.
func updates[M, U any](
	ctx context.Context,
	c *Client,
	open func(context.Context) (grpc.ServerStreamingClient[M], error),
	take func(message *M, yield func(U) bool) (done bool, failure *Error),
) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		deliver := func(message *M) (bool, *Error) {
			return take(message, func(update U) bool { return yield(update, nil) })
		}
		err := persist(ctx, c, func(waiting *patience) *Error { return read(ctx, waiting, open, deliver) })
		if err != nil {
			var none U
			yield(none, err)
		}
	}
}

// read reads one stream; it returns nil when take has enough, or why the stream was lost.
func read[M any](
	ctx context.Context,
	waiting *patience,
	open func(context.Context) (grpc.ServerStreamingClient[M], error),
	take func(message *M) (done bool, failure *Error),
) *Error {
	language := waiting.client.language
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := open(ctx)
	if err != nil {
		return errorOf(err, metadata.MD{}, language)
	}
	dog := waiting.guard(cancel)
	defer dog.stop()
	for {
		message, err := stream.Recv()
		switch {
		case dog.barked():
			return lost("the stream fell silent")
		case err == io.EOF:
			return lost("the stream ended")
		case err != nil:
			return errorOf(err, stream.Trailer(), language)
		}
		waiting.hear()
		if done, failure := take(message); done || failure != nil {
			return failure
		}
	}
}

// persist runs one stream after the other until one ends without a failure; it returns why the last
// one failed, if waiting does not help.
func persist(ctx context.Context, c *Client, stream func(*patience) *Error) error {
	waiting := &patience{client: c, pauses: backoffOf(c.timing), heard: time.Now()}
	for {
		failure := stream(waiting)
		if failure == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ended(ctx)
		}
		if err := waiting.wait(ctx, failure); err != nil {
			return err
		}
	}
}

// watchdog ends a stream that falls silent.
type watchdog struct {
	timer  *time.Timer
	silent chan struct{}
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
	dog    *watchdog
}

// guard ends a stream that falls silent; before a server has ever answered, it does so early.
func (p *patience) guard(end context.CancelFunc) *watchdog {
	dog := &watchdog{silent: make(chan struct{})}
	dog.timer = time.AfterFunc(p.client.patienceFor(p.client.timing.Silence), func() { close(dog.silent); end() })
	p.dog = dog
	return dog
}

// hear notes that the server spoke on the guarded stream.
func (p *patience) hear() {
	p.client.notice(nil)
	p.heard = time.Now()
	p.pauses.reset()
	p.dog.timer.Reset(p.client.timing.Silence)
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
