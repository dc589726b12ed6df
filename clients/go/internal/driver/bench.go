package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	taflhall "taflhall.org/go"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// bench plays matches at random for a while, by calls or over Play, and counts the answers.
func (d *driver) bench(ctx context.Context, given *arguments, _ event) (object, error) {
	client := d.client(given)
	ctx, cancel := context.WithTimeout(ctx, seconds(given.Seconds))
	defer cancel()
	play := playByCalls
	if given.Mode == "play" {
		play = playByStream
	}
	var answers atomic.Int64
	var group sync.WaitGroup
	failures := make([]error, given.Parallel)
	began := time.Now()
	for n := range given.Parallel {
		group.Go(func() {
			for ctx.Err() == nil && failures[n] == nil {
				failures[n] = playOne(ctx, client, play, &answers)
			}
		})
	}
	group.Wait()
	return object{"answers": answers.Load(), "seconds": time.Since(began).Seconds()}, errors.Join(failures...)
}

type player func(ctx context.Context, seat *taflhall.Match, answers *atomic.Int64) error

// playOne plays one match for both seats; the end of the time is no failure.
func playOne(ctx context.Context, client *taflhall.Client, play player, answers *atomic.Int64) error {
	match, err := client.Create(ctx, taflhall.Setup("yggdrasil", 2), taflhall.StartWhenFull())
	if err == nil {
		var seat *taflhall.Match
		if seat, err = match.Join(ctx, "Bench", taflhall.Seats(0, 1), taflhall.AsBot()); err == nil {
			err = play(ctx, seat, answers)
		}
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

func playByCalls(ctx context.Context, seat *taflhall.Match, answers *atomic.Int64) error {
	decision, err := seat.Decision(ctx)
	for err == nil && decision != nil {
		var done *taflhallv1.SubmitAnswersResponse
		option := rand.IntN(len(decision.GetOptions()))
		if done, err = seat.Submit(ctx, decision.GetId(), taflhall.Option(option)); err != nil {
			return err
		}
		answers.Add(1)
		if done.GetStatus() != taflhallv1.MatchStatus_MATCH_STATUS_PLAYING {
			return nil
		}
		if decision = done.GetDecision(); len(decision.GetOptions()) == 0 {
			decision, err = seat.Decision(ctx)
		}
	}
	return err
}

func playByStream(ctx context.Context, seat *taflhall.Match, answers *atomic.Int64) error {
	bot := taflhall.BotFunc(func(_ context.Context, prompt *taflhallv1.PlayPrompt) (int, error) {
		answers.Add(1)
		return rand.IntN(len(prompt.GetDecision().GetOptions())), nil
	})
	_, err := seat.Play(ctx, bot, taflhall.WithoutViews())
	return err
}
