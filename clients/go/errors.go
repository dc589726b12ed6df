package taflhall

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// Reason says why a call failed: the name of a value of the contract's ErrorReason without its
// prefix, or that of a gRPC status code if the server gave no reason. A server may have reasons that
// this client does not know. It is an error, so that [errors.Is] finds it.
type Reason string

// Reasons of the client itself.
const (
	// ReasonReplaced: another caller acts for the seat now, and the stream has ended.
	ReasonReplaced Reason = "REPLACED"
	// ReasonInvalidAddress: an address cannot be one.
	ReasonInvalidAddress Reason = "INVALID_ADDRESS"
	// ReasonUnavailable: no server answers; an [*UnreachableError] if none ever has.
	ReasonUnavailable Reason = "UNAVAILABLE"
	// ReasonDeadlineExceeded: no answer came in time.
	ReasonDeadlineExceeded Reason = "DEADLINE_EXCEEDED"
	// ReasonCancelled: the caller cancelled the call.
	ReasonCancelled Reason = "CANCELLED"
)

// Error returns the name of the reason.
func (r Reason) Error() string { return string(r) }

// Known reports whether the contract that this client was built with has the reason.
func (r Reason) Known() bool { return r.options() != nil }

func (r Reason) options() *taflhallv1.ErrorReasonOptions {
	values := taflhallv1.ErrorReason(0).Descriptor().Values()
	value := values.ByName(protoreflect.Name("ERROR_REASON_" + r))
	if value == nil {
		return nil
	}
	options, _ := proto.GetExtension(value.Options(), taflhallv1.E_ErrorReason).(*taflhallv1.ErrorReasonOptions)
	return options
}

// Error is why a call or a stream failed.
type Error struct {
	// Reason is the stable name of the cause.
	Reason Reason
	// Code is the status code of gRPC.
	Code codes.Code
	// Message is for people, in the language of the client, or else in English.
	Message string
	// Metadata are the values that the contract defines for the reason.
	Metadata map[string]string
	// RetryAfter is the pause that the server asks for; 0 if it asks for none.
	RetryAfter time.Duration
	// Violations are all faults of a setup or a time control.
	Violations []Violation

	cause error
}

// Violation is one fault of a request.
type Violation struct {
	// Field is the path of the field in the request.
	Field string
	// Code is a stable name of the fault, such as OUT_OF_RANGE.
	Code string
	// Text says what was expected and what was found, in the language of [Error.Message].
	Text string
}

// Error returns the reason and the message.
func (e *Error) Error() string {
	text := fmt.Sprintf("taflhall: %s (%s)", e.Message, e.Reason)
	for _, v := range e.Violations {
		text += "; " + v.Field + ": " + v.Text
	}
	return text
}

// Uncertain reports whether the call may have been carried out.
func (e *Error) Uncertain() bool {
	if options := e.Reason.options(); options != nil {
		return options.GetRetry() == taflhallv1.ErrorReasonOptions_RETRY_SAME_REQUEST
	}
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Internal, codes.Unknown:
		return true
	}
	return false
}

// repeatable reports whether the client repeats the call.
func (e *Error) repeatable() bool { return e.Uncertain() || e.Reason == ReasonRateLimited }

// Is reports whether target is the reason of the error.
func (e *Error) Is(target error) bool { return target == e.Reason }

// Unwrap returns the error of the context that ended the call, if one did.
func (e *Error) Unwrap() error { return e.cause }

// As finds the types of single reasons: [*IllegalCommandError], [*StaleDecisionError],
// [*InvalidSetupError], [*RateLimitedError] and [*UnreachableError].
func (e *Error) As(target any) bool {
	switch target := target.(type) {
	case **IllegalCommandError:
		*target = &IllegalCommandError{detailed{e}}
		return e.Reason == ReasonIllegalCommand
	case **StaleDecisionError:
		*target = &StaleDecisionError{detailed{e}}
		return e.Reason == ReasonStaleDecision
	case **InvalidSetupError:
		*target = &InvalidSetupError{detailed{e}}
		return e.Reason == ReasonInvalidSetup || e.Reason == ReasonInvalidTimeControl
	case **RateLimitedError:
		*target = &RateLimitedError{detailed{e}}
		return e.Reason == ReasonRateLimited
	case **UnreachableError:
		*target = &UnreachableError{detailed{e}}
		return e.Reason == ReasonUnavailable && e.Metadata["addresses"] != ""
	}
	return false
}

// detailed is an error of a single reason; it unwraps to the [*Error].
type detailed struct{ err *Error }

// Error returns the reason and the message.
func (d detailed) Error() string { return d.err.Error() }

// Unwrap returns the [*Error].
func (d detailed) Unwrap() error { return d.err }

// IllegalCommandError says that the rules forbid a command.
type IllegalCommandError struct{ detailed }

// Rule returns the number of the rule, such as "YG-7.2"; empty if no rule forbids it.
func (e *IllegalCommandError) Rule() string { return e.err.Metadata["rule"] }

// Refusal returns the stable name of why.
func (e *IllegalCommandError) Refusal() string { return e.err.Metadata["refusal"] }

// Index returns the place of the refused answer in its list.
func (e *IllegalCommandError) Index() int {
	index, _ := strconv.Atoi(e.err.Metadata["index"])
	return index
}

// StaleDecisionError says that a decision is no longer pending.
type StaleDecisionError struct{ detailed }

// DecisionID returns the decision that is pending for the seat; empty if none is.
func (e *StaleDecisionError) DecisionID() string { return e.err.Metadata["decision_id"] }

// InvalidSetupError says what is wrong with a setup or a time control.
type InvalidSetupError struct{ detailed }

// Violations returns all faults.
func (e *InvalidSetupError) Violations() []Violation { return e.err.Violations }

// RateLimitedError says that calls came too often.
type RateLimitedError struct{ detailed }

// RetryAfter returns the pause that the server asks for.
func (e *RateLimitedError) RetryAfter() time.Duration { return e.err.RetryAfter }

// errorOf returns the error of a failed call.
func errorOf(err error, trailer metadata.MD, language string) *Error {
	failed := status.Convert(err)
	e := &Error{Reason: codeName(failed.Code()), Code: failed.Code(), Message: failed.Message()}
	texts := map[string]string{}
	for _, detail := range failed.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == "taflhall" {
				e.Reason, e.Metadata = Reason(detail.GetReason()), detail.GetMetadata()
			}
		case *errdetails.LocalizedMessage:
			texts[detail.GetLocale()] = detail.GetMessage()
		case *errdetails.RetryInfo:
			e.RetryAfter = detail.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			for _, v := range detail.GetFieldViolations() {
				said := map[string]string{"en": v.GetDescription()}
				if local := v.GetLocalizedMessage(); local != nil {
					said[local.GetLocale()] = local.GetMessage()
				}
				e.Violations = append(e.Violations, Violation{v.GetField(), v.GetReason(), inLanguage(said, language)})
			}
		}
	}
	if text := inLanguage(texts, language); text != "" {
		e.Message = text
	}
	if pushback := trailer.Get("grpc-retry-pushback-ms"); len(pushback) == 1 {
		if ms, err := strconv.Atoi(pushback[0]); err == nil && ms >= 0 {
			e.RetryAfter = max(e.RetryAfter, time.Duration(ms)*time.Millisecond)
		}
	}
	return e
}

// errorOfRejection returns the error of an answer that was rejected on a Play stream.
func errorOfRejection(r *taflhallv1.PlayRejection, language string) *Error {
	e := &Error{Reason: Reason(r.GetReason()), Code: codes.FailedPrecondition, Message: r.GetReason(), Metadata: r.GetMetadata()}
	options := e.Reason.options()
	texts := map[string]string{}
	for _, text := range options.GetTexts() {
		texts[text.GetLanguage()] = placeholder.ReplaceAllStringFunc(text.GetText(), func(place string) string {
			return e.Metadata[strings.Trim(place, "{}")]
		})
	}
	if options != nil {
		e.Code = codes.Code(options.GetCode())
		e.Message = inLanguage(texts, language)
	}
	return e
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

// inLanguage returns the text in a language, or else in English.
func inLanguage(texts map[string]string, tag string) string {
	main, _, _ := strings.Cut(tag, "-")
	for _, language := range []string{tag, main} {
		if text, found := texts[language]; found {
			return text
		}
	}
	return texts["en"]
}

// codeName returns the name of a status code as the contract writes it.
func codeName(code codes.Code) Reason {
	if code == codes.Canceled {
		return ReasonCancelled
	}
	var name strings.Builder
	for i, letter := range code.String() {
		if i > 0 && letter >= 'A' && letter <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return Reason(strings.ToUpper(name.String()))
}
