package taflhall

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// Analyse returns what the decisions of a finished match were worth, in order, each as the server judges
// it. The request holds the record ([Match.Record]); its other fields may stay empty. An error is the
// last pair; it is nil for all others.
func (c *Client) Analyse(ctx context.Context, request *taflhallv1.AnalyseRecordRequest) iter.Seq2[*taflhallv1.JudgedDecision, error] {
	return func(yield func(*taflhallv1.JudgedDecision, error) bool) {
		asked := proto.CloneOf(request)
		if asked.GetLanguage() == "" {
			asked.Language = c.language
		}
		if asked.GetPageSize() == 0 {
			asked.PageSize = 1 // it takes about a second for each
		}
		for {
			reply := &taflhallv1.AnalyseRecordResponse{}
			if err := c.Call(ctx, taflhallv1.EngineService_AnalyseRecord_FullMethodName, asked, reply, ""); err != nil {
				yield(nil, err)
				return
			}
			for _, decision := range reply.GetDecisions() {
				if !yield(decision, nil) {
					return
				}
			}
			if reply.GetNextRevision() == 0 {
				return
			}
			asked.FirstRevision = reply.GetNextRevision()
		}
	}
}
