// Command resume cuts its watch of a match after the first change, and continues from there with another
// connection: nothing is lost or comes twice. Usage: resume HOST:PORT MATCH
package main

import (
	"context"
	"fmt"
	"os"

	taflhall "taflhall.org/go"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: resume HOST:PORT MATCH")
		os.Exit(2)
	}
	token, revision, err := watch("", true)
	if err == nil {
		fmt.Println("cut after revision", revision)
		_, revision, err = watch(token, false)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ends at revision", revision)
}

// watch continues after a token, to the first change or to the end; it returns the last token and revision.
func watch(token string, once bool) (string, int32, error) {
	client, err := taflhall.Connect(os.Args[1])
	if err != nil {
		return "", 0, err
	}
	defer client.Close()
	var revision int32
	for update, err := range client.Match(os.Args[2], "").Watch(context.Background(), taflhall.After(token)) {
		if err != nil {
			return "", 0, err
		}
		token, revision = update.GetResumeToken(), update.GetRevision()
		if once && update.GetChange() != nil {
			break
		}
	}
	return token, revision, nil
}
