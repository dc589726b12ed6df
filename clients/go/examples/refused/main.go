// Command refused asks for what the server refuses, and shows why, and what is legal.
//
// Usage: refused HOST:PORT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	taflhall "taflhall.org/go"
	championsv1 "taflhall.org/go/gen/taflhall/champions/v1"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: refused HOST:PORT")
		os.Exit(2)
	}
	if err := refused(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func refused(ctx context.Context, address string) error {
	client, err := taflhall.Connect(address, taflhall.WithLanguage("en"))
	if err != nil {
		return err
	}
	defer client.Close()

	_, err = client.Create(ctx, taflhall.Setup("champions", 99))
	var setup *taflhall.InvalidSetupError
	if errors.As(err, &setup) {
		for _, fault := range setup.Violations() {
			fmt.Printf("reason: %s\nfield: %s\ntext: %s\n", taflhall.ReasonInvalidSetup, fault.Field, fault.Text)
		}
	}

	match, err := client.Create(ctx, taflhall.Setup("champions", 2), taflhall.StartWhenFull())
	if err != nil {
		return err
	}
	ann, err := match.Join(ctx, "Ann", taflhall.Seats(0, 1))
	if err != nil {
		return err
	}
	first, err := ann.Decision(ctx)
	if err != nil {
		return err
	}
	leader := &championsv1.TakeLeader{Leader: championsv1.Leader_LEADER_ASMUNDR}
	asmundr := &taflhallv1.Command{Game: &taflhallv1.Command_Champions{
		Champions: &championsv1.Command{Kind: &championsv1.Command_TakeLeader{TakeLeader: leader}},
	}}
	taken, err := ann.Submit(ctx, first.GetId(), taflhall.Command(asmundr))
	if err != nil {
		return err
	}
	next := taken.GetDecision() // of the seat that wants the same leader
	_, err = ann.Submit(ctx, next.GetId(), taflhall.Command(asmundr))
	var failure *taflhall.Error
	var illegal *taflhall.IllegalCommandError
	if errors.As(err, &failure) && errors.As(err, &illegal) {
		fmt.Printf("reason: %s\nrule: %s\ntext: %s\n", failure.Reason, illegal.Rule(), failure.Message)
	}
	explained, err := ann.ExplainSeat(ctx, next.GetSeat(), asmundr)
	if err != nil {
		return err
	}
	fmt.Println("rule text:", explained.GetRuleText())
	for _, option := range next.GetOptions() {
		fmt.Println("legal:", option.GetText())
	}
	return nil
}
