package main

import (
	"context"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// analyse lets the server judge the first decisions of a match that is over.
func (d *driver) analyse(ctx context.Context, given *arguments, _ event) (object, error) {
	record, err := d.match(given).Record(ctx)
	if err != nil {
		return nil, err
	}
	request := &taflhallv1.AnalyseRecordRequest{
		Record: record, FirstRevision: given.First, Iterations: given.Iterations, Trials: given.Trials,
	}
	decisions := []object{}
	for judged, err := range d.client(given).Analyse(ctx, request) {
		if err != nil {
			return nil, err
		}
		decisions = append(decisions, object{
			"revision": judged.GetRevision(), "seat": judged.GetSeat(), "grade": name(judged.GetGrade()),
		})
		if len(decisions) == given.Most {
			break
		}
	}
	return object{"decisions": decisions}, nil
}
