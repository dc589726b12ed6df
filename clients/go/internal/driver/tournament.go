package main

import (
	"context"

	"google.golang.org/protobuf/encoding/protojson"

	tournamentv1 "taflhall.org/go/gen/taflhall/tournament/v1"

	taflhall "taflhall.org/go"
)

// tournament carries out an action that returns the tournament.
func (d *driver) tournament(ctx context.Context, given *arguments, _ event) (object, error) {
	client := d.client(given)
	tournament := client.Tournament(given.Tournament)
	get := tournament.Get
	switch given.Action {
	case "create":
		created, err := createTournament(ctx, client, given)
		if err != nil {
			return nil, err
		}
		get = created.Get
	case "enter":
		get = func(ctx context.Context) (*tournamentv1.Tournament, error) { return tournament.Enter(ctx, given.Name) }
	case "withdraw":
		get = func(ctx context.Context) (*tournamentv1.Tournament, error) {
			return tournament.WithdrawAccount(ctx, given.Account)
		}
	case "start":
		get = tournament.Start
	case "cancel":
		get = tournament.Cancel
	}
	found, err := get(ctx)
	return object{
		"tournament": found.GetId(), "status": name(found.GetStatus()), "entrants": len(found.GetEntrants()),
	}, err
}

func createTournament(ctx context.Context, client *taflhall.Client, given *arguments) (*taflhall.Tournament, error) {
	wanted := &tournamentv1.CreateTournamentRequest{}
	if err := protojson.Unmarshal(given.Request, wanted); err != nil {
		return nil, err
	}
	options := []taflhall.TournamentOption{
		taflhall.Rounds(int(wanted.GetRounds())),
		taflhall.MaxEntrants(int(wanted.GetMaxEntrants())),
		taflhall.MatchesAtOnce(int(wanted.GetMatchesAtOnce())),
	}
	if wanted.GetFormat() == tournamentv1.TournamentFormat_TOURNAMENT_FORMAT_SWISS {
		options = append(options, taflhall.Swiss())
	}
	return client.CreateTournament(ctx, wanted.GetName(), wanted.GetSetup(), wanted.GetTimeControl(), options...)
}

func (d *driver) standings(ctx context.Context, given *arguments, _ event) (object, error) {
	found, err := d.client(given).Tournament(given.Tournament).Standings(ctx)
	lines := []object{}
	for _, line := range found {
		lines = append(lines, object{"place": line.GetPlace(), "account": line.GetAccountId(), "points": line.GetPoints()})
	}
	return object{"standings": lines}, err
}

func (d *driver) tournamentMatches(ctx context.Context, given *arguments, _ event) (object, error) {
	matches := []object{}
	for match, err := range d.client(given).Tournament(given.Tournament).Matches(ctx) {
		if err != nil {
			return nil, err
		}
		matches = append(matches, object{"match": match.GetMatchId(), "status": name(match.GetStatus())})
	}
	return object{"matches": matches}, nil
}

func (d *driver) watchTournament(ctx context.Context, given *arguments, tell event) (object, error) {
	status := ""
	for update, err := range d.client(given).Tournament(given.Tournament).Watch(ctx) {
		if err != nil {
			return nil, err
		}
		if tournament := update.GetTournament(); tournament != nil {
			status = name(tournament.GetStatus())
		}
		tell(object{"status": status, "matches": len(update.GetMatches())})
	}
	return object{"status": status}, nil
}
