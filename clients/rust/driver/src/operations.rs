//! The operations.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use taflhall::v1::watch_match_response::Update;
use taflhall::v1::{
    AnalyseRecordRequest, Command, Decision, DecisionAnswer, MatchStatus, PlayPrompt,
    ProposalPolicy, Reaction, Refusal, SnapshotCause,
};
use taflhall::{Bot, BoxError, Client, Error, Match, RandomBot, tls_from_files};

use crate::Driver;
use crate::arguments::{Arguments, Tls};
use crate::{bench, protojson, tournaments};

pub const OPERATIONS: [&str; 24] = [
    "connect",
    "close",
    "call",
    "create",
    "join",
    "start",
    "get",
    "submit",
    "explain",
    "watch",
    "play",
    "play_all",
    "watch_lobby",
    "resign",
    "add_bot",
    "rematch",
    "react",
    "analyse",
    "tournament",
    "standings",
    "tournament_matches",
    "watch_tournament",
    "cancel",
    "bench",
];

/// Reports that something happened in an operation.
pub trait Tell: Fn(Value) + Copy + Send + Sync + 'static {}

impl<F: Fn(Value) + Copy + Send + Sync + 'static> Tell for F {}

pub type Outcome = Result<Value, BoxError>;

/// Carries out an operation; returns its result.
pub async fn operate(driver: &Driver, given: &Arguments, tell: &impl Tell) -> Outcome {
    match given.op.as_str() {
        "connect" => return connect(driver, given),
        "cancel" => {
            driver.running.lock().unwrap().remove(&given.of);
            return Ok(json!({}));
        }
        "close" => {
            driver.clients.lock().unwrap().remove(&given.client);
            return Ok(json!({}));
        }
        _ => {}
    }
    let client = driver.client(given)?;
    let hosted = client
        .match_by_id(&given.match_id)
        .with_secret(&given.secret);
    match given.op.as_str() {
        "call" => call(&client, given, tell).await,
        "create" => create(&client, given).await,
        "join" => join(&hosted, given).await,
        "start" => Ok(brief(&hosted.start().await?)),
        "get" => get(&hosted, given).await,
        "submit" => submit(&hosted, given).await,
        "explain" => explain(&hosted, given).await,
        "watch" => watch(&hosted, given, tell).await,
        "play" => play(&hosted, given, tell).await,
        "play_all" => play_all(&client, given, tell).await,
        "watch_lobby" => watch_lobby(&client, given, tell).await,
        "resign" => Ok(brief(&hosted.resign(given.seat).await?)),
        "add_bot" => Ok(brief(&hosted.add_bot(&given.bot, given.seat).await?)),
        "rematch" => rematch(&hosted).await,
        "react" => react(&hosted, given).await,
        "analyse" => analyse(&client, &hosted, given).await,
        "tournament" => tournaments::act(&client, given).await,
        "standings" => tournaments::standings(&client, given).await,
        "tournament_matches" => tournaments::matches(&client, given).await,
        "watch_tournament" => tournaments::watch(&client, given, tell).await,
        "bench" => bench::bench(&client, given).await,
        other => Err(format!("there is no operation {other}").into()),
    }
}

async fn analyse(client: &Client, hosted: &Match, given: &Arguments) -> Outcome {
    let mut analysis = client.analyse(AnalyseRecordRequest {
        record: Some(hosted.record().await?),
        first_revision: given.first_revision,
        iterations: given.iterations,
        trials: given.trials,
        ..Default::default()
    });
    let mut decisions = Vec::new();
    while decisions.len() < given.most {
        let Some(judged) = analysis.next().await.transpose()? else {
            break;
        };
        let grade = judged.grade().as_str_name().replace("ANSWER_GRADE_", "");
        decisions.push(json!({"revision": judged.revision, "seat": judged.seat, "grade": grade}));
    }
    Ok(json!({"decisions": decisions}))
}

fn connect(driver: &Driver, given: &Arguments) -> Outcome {
    let mut builder = Client::builder(&given.address)
        .key(&given.key)
        .language(&given.language)
        .timing(given.timing());
    if let Some(Tls { ca, cert, key }) = &given.tls {
        let identity = cert
            .as_ref()
            .map(Path::new)
            .zip(key.as_ref().map(Path::new));
        builder = builder.tls(tls_from_files(ca.as_ref().map(Path::new), identity)?);
    }
    let client = builder.connect()?;
    driver
        .clients
        .lock()
        .unwrap()
        .insert(given.client.clone(), client);
    Ok(json!({}))
}

async fn call(client: &Client, given: &Arguments, tell: &impl Tell) -> Outcome {
    let method = protojson::method(&given.method)?;
    let request = protojson::encoded(method.input(), &given.request)?;
    if method.is_server_streaming() {
        let mut stream = client
            .stream_encoded(&given.method, request.into(), None)
            .await?;
        while let Some(message) = stream.message().await.map_err(Error::from)? {
            tell(json!({"message": protojson::decoded(method.output(), message)?}));
        }
        return Ok(json!({}));
    }
    let secret = Some(given.secret.as_str()).filter(|secret| !secret.is_empty());
    let reply = client
        .call_encoded(&given.method, request.into(), secret)
        .await?;
    Ok(json!({"response": protojson::decoded(method.output(), reply)?}))
}

async fn create(client: &Client, given: &Arguments) -> Outcome {
    let mut create = client
        .create(protojson::typed("v1.Setup", &given.setup)?)
        .title(&given.title);
    if given.start_when_full {
        create = create.start_when_full();
    }
    let created = create.await?;
    Ok(json!({"match": created.id(), "secret": created.secret()}))
}

async fn join(hosted: &Match, given: &Arguments) -> Outcome {
    let mut join = hosted.join(&given.name).seats(given.seats.iter().copied());
    if given.kind == "BOT" {
        join = join.as_bot();
    }
    let seat = join.await?;
    Ok(json!({"seats": seat.seats(), "secret": seat.secret()}))
}

async fn get(hosted: &Match, given: &Arguments) -> Outcome {
    let state = hosted.get(given.seat).await?;
    let mut result = brief(&state.r#match.unwrap_or_default());
    result["decisions"] = state.decisions.iter().map(decision_of).collect();
    result["resume_token"] = state.resume_token.into();
    Ok(result)
}

async fn submit(hosted: &Match, given: &Arguments) -> Outcome {
    let mut answers: Vec<DecisionAnswer> = given.options.iter().map(|&o| o.into()).collect();
    for command in &given.commands {
        answers.push(protojson::typed::<Command>("v1.Command", command)?.into());
    }
    let mut id = given.decision.clone();
    if id.is_empty() {
        id = hosted.decision().await?.unwrap_or_default().id;
    }
    let mut submit = hosted.submit(id, answers);
    if !given.request_id.is_empty() {
        submit = submit.request_id(&given.request_id);
    }
    let done = submit.await?;
    Ok(json!({
        "revision": done.revision,
        "applied": done.applied,
        "replayed": done.replayed,
        "status": status(done.status),
        "decision": done.decision.as_ref().map(decision_of),
        "refusal": done.refusal.as_ref().map(refusal),
    }))
}

async fn explain(hosted: &Match, given: &Arguments) -> Outcome {
    let command: Command = protojson::typed("v1.Command", &given.command)?;
    let said = hosted.explain(command, given.seat).await?;
    let refusal = said.refusal.as_ref().map(refusal);
    Ok(json!({"legal": said.legal, "refusal": refusal, "rule_text": said.rule_text}))
}

async fn watch(hosted: &Match, given: &Arguments, tell: &impl Tell) -> Outcome {
    let mut options = hosted.watch().after(&given.resume_token);
    if let Some(seat) = given.seat {
        options = options.from_seat(seat);
    }
    let mut watch = options.open();
    while let Some(message) = watch.next().await {
        let message = message?;
        let (snapshot, events, at) = match message.update {
            Some(Update::Snapshot(snapshot)) => {
                let found = snapshot.r#match.as_ref().map_or(0, |found| found.status);
                (Some(cause(snapshot.cause)), 0, found)
            }
            Some(Update::Change(change)) => {
                let known = change.events.iter().filter(|event| event.kind.is_some());
                (None, known.count(), change.status)
            }
            Some(Update::End(end)) => {
                let found = end.r#match.unwrap_or_default();
                return Ok(json!({"status": status(found.status), "revision": message.revision}));
            }
            _ => continue,
        };
        tell(json!({
            "revision": message.revision,
            "snapshot": snapshot,
            "events": events,
            "status": status(at),
            "resume_token": message.resume_token,
        }));
    }
    Err("the watch ended without an end".into())
}

async fn play(hosted: &Match, given: &Arguments, tell: &impl Tell) -> Outcome {
    let mut bot = Chooser::new(given, *tell, None);
    let mut play = hosted.play(&mut bot).proposals(proposals(given));
    if given.with_events {
        play = play.with_events();
    }
    Ok(brief(&play.await?))
}

async fn play_all(client: &Client, given: &Arguments, tell: &impl Tell) -> Outcome {
    let at = given.at.iter();
    let at = at.map(|at| client.match_by_id(&at.match_id).with_secret(&at.secret));
    let seats: Vec<Match> = at.collect();
    let tell = *tell;
    let all = client.play_all(move |entered| {
        let id = entered.r#match.clone().unwrap_or_default().id;
        tell(json!({"match": id, "entered": entered.seats}));
        Chooser::new(given, tell, Some(id))
    });
    let mut all = all
        .proposals(proposals(given))
        .at_seats(&seats)
        .on_end(move |id, outcome| {
            tell(match outcome {
                Ok(end) => json!({"match": id, "end": status(end.status)}),
                Err(error) => json!({"match": id, "failure": error.reason().name()}),
            });
        });
    if let Some(max_matches) = given.max_matches {
        all = all.offer(max_matches, given.games.clone());
    }
    all.await?;
    Ok(json!({}))
}

async fn rematch(hosted: &Match) -> Outcome {
    let again = hosted.rematch().await?;
    Ok(json!({"match": again.id(), "seats": again.seats(), "secret": again.secret()}))
}

async fn react(hosted: &Match, given: &Arguments) -> Outcome {
    let reaction = Reaction::from_str_name(&format!("REACTION_{}", given.reaction));
    hosted.react(reaction.unwrap_or_default(), None).await?;
    Ok(json!({}))
}

async fn watch_lobby(client: &Client, given: &Arguments, tell: &impl Tell) -> Outcome {
    use taflhall::v1::lobby_update::Update;
    let filter = taflhall::v1::ListMatchesRequest {
        game: given.game.clone(),
        ..Default::default()
    };
    let mut watch = client.watch_lobby(filter);
    while let Some(update) = watch.next().await {
        match update?.update {
            Some(Update::Match(found)) => tell(json!({"match": found.id})),
            Some(Update::GoneMatchId(id)) => tell(json!({"gone": id})),
            Some(Update::Lost(lost)) => tell(json!({"lost": lost})),
            None => {}
        }
    }
    Ok(json!({}))
}

/// A bot that takes the first option, the last or any, after a while, and reports it.
struct Chooser<T> {
    choose: String,
    think: Duration,
    random: RandomBot,
    match_id: Option<String>,
    tell: T,
}

impl<T: Tell> Chooser<T> {
    fn new(given: &Arguments, tell: T, match_id: Option<String>) -> Self {
        Chooser {
            choose: given.choose.clone(),
            think: Duration::from_secs_f64(given.think),
            random: RandomBot::new(given.seed),
            match_id,
            tell,
        }
    }
}

impl<T: Tell> Bot for Chooser<T> {
    async fn choose(&mut self, prompt: &PlayPrompt) -> Result<usize, BoxError> {
        tokio::time::sleep(self.think).await;
        let decision = prompt
            .decision
            .as_ref()
            .ok_or("the prompt has no decision")?;
        let option = match self.choose.as_str() {
            "last" => decision.options.len() - 1,
            "random" => self.random.choose(prompt).await?,
            _ => 0,
        };
        let mut event = decision_of(decision);
        event["decision"] = decision.id.as_str().into();
        event["option"] = option.into();
        event["events"] = prompt.events.len().into();
        if let Some(id) = &self.match_id {
            event["match"] = id.as_str().into();
        }
        (self.tell)(event);
        Ok(option)
    }
}

fn proposals(given: &Arguments) -> ProposalPolicy {
    match given.proposals.as_str() {
        "agree" => ProposalPolicy::Agree,
        "refuse" => ProposalPolicy::Refuse,
        _ => ProposalPolicy::Unspecified,
    }
}

fn brief(found: &taflhall::v1::Match) -> Value {
    json!({"status": status(found.status), "revision": found.revision})
}

fn decision_of(decision: &Decision) -> Value {
    let options = decision.options.len();
    json!({"id": decision.id, "seat": decision.seat, "rule": decision.rule, "options": options})
}

fn refusal(refusal: &Refusal) -> Value {
    json!({"rule": refusal.rule, "code": refusal.code, "text": refusal.text})
}

/// Returns the name of a status without its prefix, or the number of one that is not known.
pub fn status(number: i32) -> String {
    MatchStatus::try_from(number).map_or_else(
        |_| number.to_string(),
        |known| known.as_str_name().replace("MATCH_STATUS_", ""),
    )
}

/// Returns the name of a snapshot's cause.
fn cause(number: i32) -> String {
    match SnapshotCause::try_from(number) {
        Ok(SnapshotCause::Unspecified) => "BEGIN".into(),
        Ok(known) => known.as_str_name().replace("SNAPSHOT_CAUSE_", ""),
        Err(_) => number.to_string(),
    }
}
