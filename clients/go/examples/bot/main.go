// Command bot joins a match and plays at random. Usage: bot HOST:PORT MATCH [NAME]
package main

import (
	"context"
	"fmt"
	"os"

	taflhall "taflhall.org/go"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: bot HOST:PORT MATCH [NAME]")
		os.Exit(2)
	}
	client := must(taflhall.Connect(os.Args[1]))
	open, name := client.Match(os.Args[2], ""), append(os.Args, "Gopher")[3]
	seat := must(open.Join(context.Background(), name, taflhall.AsBot()))
	match := must(seat.Play(context.Background(), taflhall.RandomBot(1)))
	for _, seat := range match.GetResult().GetSeats() {
		fmt.Printf("seat %d: place %d\n", seat.GetSeat(), seat.GetPlace())
	}
}

// must returns a value, or ends the program with the error.
func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}
