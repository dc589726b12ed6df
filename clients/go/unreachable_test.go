package taflhall

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// impatient gives up soon before a server has answered, and late afterwards.
var impatient = Timing{
	Call: time.Hour, Connect: 300 * time.Millisecond, Silence: time.Hour, Patience: time.Hour,
	FirstPause: 5 * time.Millisecond, LongestPause: 10 * time.Millisecond,
}

func unused(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestWhereNobodyEverAnsweredCallsAndStreamsEndSoon(t *testing.T) {
	addresses := []string{unused(t), unused(t)}
	client, err := Connect(addresses[0]+", "+addresses[1], WithTiming(impatient))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, called := client.Games(context.Background())
	var watched error
	for _, err := range client.Match("m", "").Watch(context.Background()) {
		watched = err
	}
	for _, err := range []error{called, watched} {
		var unreachable *UnreachableError
		if !errors.As(err, &unreachable) || !slices.Equal(unreachable.Addresses(), addresses) {
			t.Errorf("it failed with %v", err)
		}
	}
}

func TestAPortThatAcceptsAndSaysNothingIsUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := Connect(listener.Addr().String(), WithTiming(impatient))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	match, bot := client.Match("m", "s"), RandomBot(1)
	_, called := client.Games(context.Background())
	_, played := match.Play(context.Background(), bot)
	all := client.PlayAll(context.Background(), func(*taflhallv1.PlayAllEntered) Bot { return bot }, AtSeats(match))
	var watched error
	for _, err := range match.Watch(context.Background()) {
		watched = err
	}
	for _, err := range []error{called, played, all, watched} {
		var unreachable *UnreachableError
		if !errors.As(err, &unreachable) {
			t.Errorf("it failed with %v", err)
		}
	}
}

func TestAServerThatHasAnsweredIsWaitedFor(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	go server.Serve(listener)
	timing := impatient
	timing.Connect = 3 * time.Second // a busy machine may need some of it for the first answer
	client, err := Connect(listener.Addr().String(), WithTiming(timing))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Games(context.Background()); !errors.Is(err, Reason("UNIMPLEMENTED")) {
		t.Fatal(err)
	}
	server.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), timing.Connect+timing.Connect/3)
	defer cancel()
	_, err = client.Games(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ended with %v before the context did", err)
	}
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) {
		t.Error("it was reached before")
	}
}

func TestWhatCannotBeAnAddressOrAKeyIsRefusedAtOnce(t *testing.T) {
	for _, address := range []string{"", "localhost", "host:port", "127.0.0.1:99999", "a:1,b", "http://a:1", "::1:50051"} {
		if _, err := Connect(address); !errors.Is(err, ReasonInvalidAddress) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{"localhost:1", "[::1]:50051", "a:1, b:2", "dns:///a:1", "unix:/tmp/s"} {
		client, err := Connect(address)
		if err != nil {
			t.Errorf("%q: %v", address, err)
			continue
		}
		client.Close()
	}
	if _, err := Connect("localhost:1", WithKey("hunter2")); !errors.Is(err, ReasonAPIKeyInvalid) {
		t.Errorf("a key that is none: %v", err)
	}
}
