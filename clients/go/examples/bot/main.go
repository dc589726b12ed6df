// Command bot joins a match and plays at random. Usage: bot HOST:PORT MATCH [NAME]
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	taflhall "taflhall.org/go"
)

func main() {
	client, err := taflhall.Connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	name := append(os.Args, "Gopher")[3]
	seat, err := client.Match(os.Args[2], "").Join(context.Background(), name, taflhall.AsBot())
	if err != nil {
		log.Fatal(err)
	}
	match, err := seat.Play(context.Background(), taflhall.RandomBot(1))
	fmt.Println(match.GetStatus(), match.GetResult(), err)
}
