// Command porcupine checks that the histories of matches are linearizable.
//
// It reads one JSON operation a line from standard input and prints, for each match whose history
// is not linearizable, the match id. The specification of a match is a counter: a submit that is
// answered moves it from revision-applied to revision, a call whose effect is unknown moves it by 0
// to most, a read returns it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// operation is one call of one match, with the nanoseconds at which it was sent and answered; one that
// was never answered ends after everything else.
type operation struct {
	Match    string `json:"match"`
	Kind     string `json:"kind"` // submit, unknown or read
	Sent     int64  `json:"sent"`
	Ended    int64  `json:"ended"`
	Revision int    `json:"revision"`
	Applied  int    `json:"applied"`
	Most     int    `json:"most"`
}

var match = porcupine.NondeterministicModel{
	Init: func() []any { return []any{0} },
	Step: func(state, input, _ any) []any {
		revision, call := state.(int), input.(operation)
		switch call.Kind {
		case "submit":
			if revision+call.Applied == call.Revision {
				return []any{call.Revision}
			}
		case "read":
			if revision == call.Revision {
				return []any{revision}
			}
		case "unknown":
			states := make([]any, 0, call.Most+1)
			for applied := 0; applied <= call.Most; applied++ {
				states = append(states, revision+applied)
			}
			return states
		}
		return nil
	},
}

func main() {
	histories := map[string][]porcupine.Operation{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<16), 1<<20)
	for lines.Scan() {
		var call operation
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			fmt.Fprintln(os.Stderr, "not an operation:", err)
			os.Exit(2)
		}
		histories[call.Match] = append(histories[call.Match], porcupine.Operation{
			ClientId: len(histories[call.Match]), Input: call, Call: call.Sent, Return: call.Ended,
		})
	}
	ids := make([]string, 0, len(histories))
	for id := range histories {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	model := match.ToModel()
	for _, id := range ids {
		switch porcupine.CheckOperationsTimeout(model, histories[id], time.Minute) {
		case porcupine.Illegal:
			fmt.Println(id, "illegal")
		case porcupine.Unknown:
			fmt.Println(id, "undecided")
		}
	}
}
