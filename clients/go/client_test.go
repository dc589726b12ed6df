package taflhall

import (
	"context"
	"errors"
	"os"
	"regexp"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

func TestEveryReasonThatIsNamedIsOfTheContract(t *testing.T) {
	source, err := os.ReadFile("reasons.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`Reason = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(named) < 50 {
		t.Errorf("only %d reasons are named", len(named))
	}
	for _, found := range named {
		if !Reason(found[1]).Known() {
			t.Errorf("the contract lacks %s", found[1])
		}
	}
}

func failed(t *testing.T, code codes.Code, reason string, metadata map[string]string) error {
	t.Helper()
	s, err := status.New(code, "gRPC's text").WithDetails(
		&errdetails.ErrorInfo{Reason: reason, Domain: "taflhall", Metadata: metadata},
		&errdetails.LocalizedMessage{Locale: "en", Message: "english"},
		&errdetails.LocalizedMessage{Locale: "de", Message: "deutsch"},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return s.Err()
}

func TestAnErrorIsFoundByItsReasonAndItsType(t *testing.T) {
	details := map[string]string{"rule": "YG-7.2", "refusal": "world_blocked", "index": "2"}
	var err error = errorOf(failed(t, codes.FailedPrecondition, "ILLEGAL_COMMAND", details), nil, "")
	if !errors.Is(err, ReasonIllegalCommand) || errors.Is(err, ReasonSeatTaken) {
		t.Error("errors.Is does not compare reasons")
	}
	var illegal *IllegalCommandError
	if !errors.As(err, &illegal) || illegal.Rule() != "YG-7.2" || illegal.Refusal() != "world_blocked" || illegal.Index() != 2 {
		t.Errorf("errors.As finds %v", illegal)
	}
	var stale *StaleDecisionError
	if errors.As(err, &stale) {
		t.Error("errors.As finds another type")
	}
}

func TestAnErrorHasTheTextOfItsLanguage(t *testing.T) {
	for language, text := range map[string]string{"de-AT": "deutsch", "de": "deutsch", "": "english", "fr": "english"} {
		if e := errorOf(failed(t, codes.NotFound, "MATCH_NOT_FOUND", nil), nil, language); e.Message != text {
			t.Errorf("%q: %q instead of %q", language, e.Message, text)
		}
	}
}

func TestUncertaintyFollowsTheReasonOrElseTheCode(t *testing.T) {
	cases := []struct {
		code      codes.Code
		reason    string
		uncertain bool
	}{
		{codes.Unavailable, "STORE_UNAVAILABLE", true},
		{codes.Aborted, "STALE_DECISION", false},
		{codes.Unavailable, "NEW_REASON", true},
		{codes.FailedPrecondition, "NEW_REASON", false},
	}
	for _, c := range cases {
		if e := errorOf(failed(t, c.code, c.reason, nil), nil, ""); e.Uncertain() != c.uncertain {
			t.Errorf("%s %s: uncertain %v", c.code, c.reason, e.Uncertain())
		}
	}
}

func TestThePauseIsTheLongestThatTheServerAsksFor(t *testing.T) {
	pushback := metadata.Pairs("grpc-retry-pushback-ms", "1500")
	e := errorOf(failed(t, codes.Unavailable, "BUSY", nil), pushback, "")
	if e.RetryAfter != 1500*time.Millisecond {
		t.Errorf("RetryAfter is %s", e.RetryAfter)
	}
	p := backoffOf(DefaultTiming)
	if pause := p.next(e); pause < e.RetryAfter {
		t.Errorf("the pause is %s", pause)
	}
}

func TestPausesGrowToTheLongest(t *testing.T) {
	p := backoffOf(Timing{FirstPause: time.Second, LongestPause: 10 * time.Second})
	for range 100 {
		if pause := p.next(lost("gone")); pause < time.Second || pause > 10*time.Second {
			t.Fatalf("the pause is %s", pause)
		}
	}
}

func TestACodeIsNamedAsTheContractWritesIt(t *testing.T) {
	for code, name := range map[codes.Code]Reason{
		codes.FailedPrecondition: "FAILED_PRECONDITION",
		codes.Canceled:           "CANCELLED",
		codes.Internal:           "INTERNAL",
	} {
		if codeName(code) != name {
			t.Errorf("%s is named %s", code, codeName(code))
		}
	}
}

func TestACancelledCallEndsWithTheErrorOfItsContext(t *testing.T) {
	client, err := Connect("127.0.0.1:9")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := client.Games(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, ReasonCancelled) {
		t.Errorf("it is %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Games(ctx); err == nil {
		t.Error("a server that is not there has answered")
	}
}

func TestABotIsAskedOnceForADecision(t *testing.T) {
	asked := make(chan string, 9)
	bot := BotFunc(func(_ context.Context, p *taflhallv1.PlayPrompt) (int, error) {
		asked <- p.GetDecision().GetId()
		return 0, nil
	})
	thoughts := make(chan thought, 9)
	mind := thinking{matchID: "m", bot: bot, thoughts: thoughts}
	for _, id := range []string{"d1", "d1", "d2"} {
		mind.consider(context.Background(), &taflhallv1.PlayPrompt{Decision: &taflhallv1.Decision{Id: id}})
	}
	got := map[string]bool{<-asked: true, <-asked: true}
	if !got["d1"] || !got["d2"] || len(asked) != 0 {
		t.Errorf("asked for %v and %d more", got, len(asked))
	}
	if mind.done("d1") || !mind.done("d2") {
		t.Error("only the newest answer is wanted")
	}
}
