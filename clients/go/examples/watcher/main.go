// Command watcher prints what happens in a match, and how it ends. Usage: watcher HOST:PORT MATCH
package main

import (
	"context"
	"fmt"
	"os"

	taflhall "taflhall.org/go"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: watcher HOST:PORT MATCH")
		os.Exit(2)
	}
	if err := watch(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func watch(address, id string) error {
	client, err := taflhall.Connect(address, taflhall.WithLanguage("en"))
	if err != nil {
		return err
	}
	defer client.Close()
	for update, err := range client.Match(id, "").Watch(context.Background()) {
		if err != nil {
			return err
		}
		if update.GetSnapshot() != nil {
			fmt.Println(update.GetRevision(), "snapshot")
		}
		for _, event := range update.GetChange().GetEvents() {
			fmt.Println(update.GetRevision(), event.GetText())
		}
		for _, seat := range update.GetEnd().GetMatch().GetResult().GetSeats() {
			fmt.Printf("seat %d: place %d\n", seat.GetSeat(), seat.GetPlace())
		}
	}
	return nil
}
