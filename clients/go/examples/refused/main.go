// Command refused gives a command that the rules forbid, and says why. Usage: refused HOST:PORT
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	taflhall "taflhall.org/go"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
	yggdrasilv1 "taflhall.org/go/gen/taflhall/yggdrasil/v1"
)

func main() {
	ctx := context.Background()
	client, err := taflhall.Connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	match, err := client.Create(ctx, taflhall.Setup("yggdrasil", 1), taflhall.StartWhenFull())
	if err != nil {
		log.Fatal(err)
	}
	ann, err := match.Join(ctx, "Ann")
	if err != nil {
		log.Fatal(err)
	}
	decision, err := ann.Decision(ctx)
	if err != nil {
		log.Fatal(err)
	}

	choose := &yggdrasilv1.Command_ChooseDie{ChooseDie: &yggdrasilv1.ChooseDie{Index: 63}}
	command := &taflhallv1.Command{Game: &taflhallv1.Command_Yggdrasil{
		Yggdrasil: &yggdrasilv1.Command{Kind: choose},
	}}
	_, err = ann.Submit(ctx, decision.GetId(), taflhall.Command(command))
	var illegal *taflhall.IllegalCommandError
	if !errors.As(err, &illegal) {
		log.Fatal("not refused: ", err)
	}
	fmt.Println("refused:", illegal.Refusal(), illegal.Rule())

	said, err := ann.Explain(ctx, command)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("explained:", said.GetRefusal().GetText())
}
