// Command serve plays wherever its account is invited or sits, many matches over one stream, until it
// is stopped. Usage: serve HOST:PORT API_KEY
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	taflhall "taflhall.org/go"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: serve HOST:PORT API_KEY")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, os.Args[1], os.Args[2]); !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, address, key string) error {
	client, err := taflhall.Connect(address, taflhall.WithKey(key))
	if err != nil {
		return err
	}
	defer client.Close()
	newBot := func(entered *taflhallv1.PlayAllEntered) taflhall.Bot {
		fmt.Println(entered.GetMatch().GetId(), "entered")
		return taflhall.RandomBot(1)
	}
	onEnd := func(id string, _ *taflhallv1.Match, err error) {
		if err != nil {
			fmt.Println(id, "left:", err)
		} else {
			fmt.Println(id, "is over")
		}
	}
	return client.PlayAll(ctx, newBot, taflhall.Offer(8), taflhall.OnEnd(onEnd))
}
