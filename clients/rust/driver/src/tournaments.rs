//! The operations of tournaments.

use serde_json::{Value, json};
use taflhall::tournament::v1::{CreateTournamentRequest, TournamentFormat, TournamentStatus};
use taflhall::{BoxError, Client, Tournament};

use crate::arguments::Arguments;
use crate::operations::{Outcome, Tell, status};
use crate::protojson;

/// Carries out an action that returns the tournament.
pub async fn act(client: &Client, given: &Arguments) -> Outcome {
    let tournament = client.tournament(&given.tournament);
    let found = match given.action.as_str() {
        "create" => create(client, &given.request).await?.get().await?,
        "enter" => tournament.enter(&given.name).await?,
        "withdraw" => tournament.withdraw_account(&given.account).await?,
        "start" => tournament.start().await?,
        "cancel" => tournament.cancel().await?,
        _ => tournament.get().await?,
    };
    let entrants = found.entrants.len();
    Ok(json!({"tournament": found.id, "status": stage(found.status), "entrants": entrants}))
}

async fn create(client: &Client, request: &Value) -> Result<Tournament, BoxError> {
    let name = "tournament.v1.CreateTournamentRequest";
    let wanted: CreateTournamentRequest = protojson::typed(name, request)?;
    let swiss = wanted.format() == TournamentFormat::Swiss;
    let (setup, clock) = (
        wanted.setup.unwrap_or_default(),
        wanted.time_control.unwrap_or_default(),
    );
    let mut create = client
        .create_tournament(wanted.name, setup, clock)
        .rounds(wanted.rounds)
        .max_entrants(wanted.max_entrants)
        .matches_at_once(wanted.matches_at_once);
    if swiss {
        create = create.swiss();
    }
    Ok(create.await?)
}

pub async fn standings(client: &Client, given: &Arguments) -> Outcome {
    let found = client.tournament(&given.tournament).standings().await?;
    let lines = found.iter().map(
        |line| json!({"place": line.place, "account": line.account_id, "points": line.points}),
    );
    Ok(json!({"standings": lines.collect::<Value>()}))
}

pub async fn matches(client: &Client, given: &Arguments) -> Outcome {
    let found = client.tournament(&given.tournament).matches().await?;
    let lines = found
        .iter()
        .map(|found| json!({"match": found.match_id, "status": status(found.status)}));
    Ok(json!({"matches": lines.collect::<Value>()}))
}

pub async fn watch(client: &Client, given: &Arguments, tell: &impl Tell) -> Outcome {
    let mut watch = client.tournament(&given.tournament).watch();
    let mut last = String::new();
    while let Some(update) = watch.next().await {
        let update = update?;
        if let Some(tournament) = update.tournament {
            last = stage(tournament.status);
        }
        tell(json!({"status": last, "matches": update.matches.len()}));
    }
    Ok(json!({"status": last}))
}

/// Returns the name of a tournament's status without its prefix.
fn stage(number: i32) -> String {
    let known = TournamentStatus::try_from(number).unwrap_or_default();
    known.as_str_name().replace("TOURNAMENT_STATUS_", "")
}
