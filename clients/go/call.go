package taflhall

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// faultAttempts is how often a call is made that ends in a fault of the server.
const faultAttempts = 4

// Call makes a unary call of the contract by its full name, such as
// [taflhallv1.MatchService_GetMatch_FullMethodName], and repeats it as the package says. An empty
// secret means the account of the client.
func (c *Client) Call(ctx context.Context, method string, request, reply proto.Message, secret string) error {
	if _, limited := ctx.Deadline(); !limited {
		limit, cancel := context.WithTimeout(ctx, c.timing.Call)
		defer cancel()
		ctx = limit
	}
	if failure := c.repeat(ctx, method, request, reply, secret); failure != nil {
		return c.explained(failure)
	}
	return nil
}

// repeat makes a call until its outcome is definite or its time is up.
func (c *Client) repeat(ctx context.Context, method string, request, reply proto.Message, secret string) *Error {
	began := time.Now()
	left := func() time.Duration {
		end, _ := ctx.Deadline()
		return min(time.Until(end), c.patienceFor(math.MaxInt64)-time.Since(began))
	}
	pauses := backoffOf(c.timing)
	var last *Error
	for faults := 0; ; {
		failure := c.attempt(ctx, min(left(), c.timing.Attempt), method, request, reply, secret)
		c.notice(failure)
		if failure == nil {
			return nil
		}
		if ctx.Err() != nil {
			return endOf(ctx, last, failure)
		}
		if failure.Reason == ReasonDeadlineExceeded && last != nil {
			failure = last // what the server said tells more
		}
		last = failure
		if failure.Code == codes.Internal || failure.Code == codes.Unknown {
			faults++
		}
		if !failure.repeatable() || faults >= faultAttempts {
			return failure
		}
		pause := pauses.next(failure)
		if left() <= pause {
			failure.cause = context.DeadlineExceeded
			return failure
		}
		if sleep(ctx, pause) != nil {
			return endOf(ctx, last, failure)
		}
	}
}

func (c *Client) attempt(ctx context.Context, limit time.Duration, method string, request, reply proto.Message, secret string) *Error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var trailer metadata.MD
	err := c.conn.Invoke(c.authorized(ctx, secret), method, request, reply, grpc.Trailer(&trailer))
	if err == nil {
		return nil
	}
	return errorOf(err, trailer, c.language)
}

// endOf returns the error of a call whose context has ended: what the server said last, if it is the
// deadline that is over.
func endOf(ctx context.Context, last, failure *Error) *Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &Error{Reason: ReasonCancelled, Code: codes.Canceled, Message: "cancelled", cause: context.Canceled}
	}
	if last == nil {
		last = failure
	}
	last.cause = context.DeadlineExceeded
	return last
}

// pauses are those between attempts that fail in a row: exponential, with full jitter.
type pauses struct {
	timing   Timing
	failures int
}

func backoffOf(t Timing) *pauses { return &pauses{timing: t} }

func (p *pauses) reset() { p.failures = 0 }

// next returns how long to wait after a failure. A call that came too often is repeated a little
// after the server allows it, since others wait for the same moment.
func (p *pauses) next(failure *Error) time.Duration {
	if failure.Reason == ReasonRateLimited {
		return time.Duration(float64(failure.RetryAfter)*(1.05+0.25*rand.Float64())) + 5*time.Millisecond
	}
	p.failures = min(p.failures+1, 10)
	longest := min(p.timing.LongestPause, p.timing.FirstPause<<p.failures)
	spread := max(0, longest-p.timing.FirstPause)
	pause := p.timing.FirstPause + time.Duration(rand.Float64()*float64(spread))
	return max(pause, failure.RetryAfter)
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
