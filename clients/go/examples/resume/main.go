// Command resume watches a match, is cut off after every tenth change, and goes on after the last one
// with another connection: nothing is lost or comes twice. Usage: resume HOST:PORT MATCH
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	taflhall "taflhall.org/go"
)

func main() {
	token, changes, over := "", 0, false
	for connection := 1; !over; connection++ {
		token, over = watch(token, &changes)
		fmt.Println("connection", connection, "ends after", changes, "changes")
	}
}

// watch counts changes until the tenth or the end of the match; it returns the last token.
func watch(token string, changes *int) (string, bool) {
	client, err := taflhall.Connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for update, err := range client.Match(os.Args[2], "").Watch(context.Background(), taflhall.After(token)) {
		if err != nil {
			log.Fatal(err)
		}
		token = update.GetResumeToken()
		if update.GetChange() == nil {
			continue
		}
		if *changes++; *changes%10 == 0 {
			return token, false
		}
	}
	return token, true
}
