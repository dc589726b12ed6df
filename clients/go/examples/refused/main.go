// Command refused asks for what the server refuses, and says why. Usage: refused HOST:PORT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	taflhall "taflhall.org/go"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
	yggdrasilv1 "taflhall.org/go/gen/taflhall/yggdrasil/v1"
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

	_, err = client.Create(ctx, taflhall.Setup("yggdrasil", 99))
	var setup *taflhall.InvalidSetupError
	if errors.As(err, &setup) {
		for _, fault := range setup.Violations() {
			fmt.Printf("reason: %s\nfield: %s\ntext: %s\n", taflhall.ReasonInvalidSetup, fault.Field, fault.Text)
		}
	}

	match, err := client.Create(ctx, taflhall.Setup("yggdrasil", 1), taflhall.StartWhenFull())
	if err != nil {
		return err
	}
	ann, err := match.Join(ctx, "Ann")
	if err != nil {
		return err
	}
	decision, err := ann.Decision(ctx)
	if err != nil {
		return err
	}
	helheim := &yggdrasilv1.Command_Helheim{Helheim: &yggdrasilv1.Helheim{}}
	command := &taflhallv1.Command{Game: &taflhallv1.Command_Yggdrasil{
		Yggdrasil: &yggdrasilv1.Command{Kind: helheim},
	}}
	_, err = ann.Submit(ctx, decision.GetId(), taflhall.Command(command))
	var failure *taflhall.Error
	var illegal *taflhall.IllegalCommandError
	if errors.As(err, &failure) && errors.As(err, &illegal) {
		fmt.Printf("reason: %s\nrule: %s\ntext: %s\n", failure.Reason, illegal.Rule(), failure.Message)
	}
	said, err := ann.Explain(ctx, command)
	fmt.Println("explained:", said.GetRuleText())
	return err
}
