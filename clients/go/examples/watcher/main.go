// Command watcher prints what happens in a match, in German. Usage: watcher HOST:PORT MATCH
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	taflhall "taflhall.org/go"
)

func main() {
	client, err := taflhall.Connect(os.Args[1], taflhall.WithLanguage("de"))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for update, err := range client.Match(os.Args[2], "").Watch(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		if snapshot := update.GetSnapshot(); snapshot != nil {
			fmt.Println(update.GetRevision(), snapshot.GetMatch().GetStatus())
		}
		for _, event := range update.GetChange().GetEvents() {
			fmt.Println(update.GetRevision(), event.GetText())
		}
		for _, seat := range update.GetEnd().GetMatch().GetResult().GetSeats() {
			fmt.Println("place", seat.GetPlace(), "for seat", seat.GetSeat())
		}
	}
}
