package taflhall

import (
	"fmt"
	"strings"
	"time"
)

// UnreachableError says that no server has ever answered this client.
type UnreachableError struct{ detailed }

// Addresses returns the addresses that were tried.
func (e *UnreachableError) Addresses() []string {
	return strings.Split(e.err.Metadata["addresses"], ", ")
}

// notice remembers that a server has answered, if the outcome of a call shows it.
func (c *Client) notice(failure *Error) {
	if failure == nil || !failure.unheard() {
		c.reached.Store(true)
	}
}

// patienceFor returns how long to wait for a server: not long before one has ever answered.
func (c *Client) patienceFor(usual time.Duration) time.Duration {
	if c.reached.Load() {
		return usual
	}
	return min(usual, c.timing.Connect)
}

// explained returns a failure with what to check, if no server has ever answered.
func (c *Client) explained(failure *Error) *Error {
	if c.reached.Load() || !failure.unheard() || failure.Reason == ReasonCancelled {
		return failure
	}
	addresses := strings.Join(c.addresses, ", ")
	explained := *failure
	explained.Reason, explained.Metadata = ReasonUnavailable, map[string]string{"addresses": addresses}
	explained.Message = fmt.Sprintf(
		"no server answers at %s: does it run, are host and port right, and TLS on both sides or on neither? (%s)",
		addresses, failure.Message)
	return &explained
}

// unheard reports whether the failure is no answer of a server.
func (e *Error) unheard() bool {
	return e.Reason == ReasonUnavailable || e.Reason == ReasonDeadlineExceeded || e.Reason == ReasonCancelled
}
