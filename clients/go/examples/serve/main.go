// Command serve plays wherever its account is invited or sits, many matches over one stream, until it
// is interrupted. Usage: serve HOST:PORT API_KEY
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"

	taflhall "taflhall.org/go"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, err := taflhall.Connect(os.Args[1], taflhall.WithKey(os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	newBot := func(entered *taflhallv1.PlayAllEntered) taflhall.Bot {
		fmt.Println(entered.GetMatch().GetId(), "entered at seats", entered.GetSeats())
		return taflhall.RandomBot(1)
	}
	onEnd := func(id string, match *taflhallv1.Match, err error) {
		fmt.Println(id, match.GetStatus(), err)
	}
	err = client.PlayAll(ctx, newBot, taflhall.Offer(20), taflhall.OnEnd(onEnd))
	if !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}
