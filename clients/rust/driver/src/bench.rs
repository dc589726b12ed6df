//! Plays matches at random for a while, by calls or over Play, and counts the answers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use taflhall::v1::{MatchStatus, PlayPrompt, Setup};
use taflhall::{BoxError, Client, Match, Result};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use crate::arguments::Arguments;

static ANSWERS: AtomicU64 = AtomicU64::new(0);

pub async fn bench(client: &Client, given: &Arguments) -> Result<Value, BoxError> {
    let began = Instant::now();
    let end = began + Duration::from_secs_f64(given.seconds);
    let before = ANSWERS.load(Ordering::Relaxed);
    let by_stream = given.mode == "play";
    let mut playing = JoinSet::new();
    for _ in 0..given.parallel {
        let client = client.clone();
        playing.spawn(timeout_at(end, async move {
            loop {
                if let Err(failure) = play_one(&client, by_stream).await {
                    return failure;
                }
            }
        }));
    }
    while let Some(outcome) = playing.join_next().await {
        if let Ok(failure) = outcome? {
            return Err(failure.into());
        }
    }
    let answers = ANSWERS.load(Ordering::Relaxed) - before;
    Ok(json!({"answers": answers, "seconds": began.elapsed().as_secs_f64()}))
}

/// Plays one match for both seats.
async fn play_one(client: &Client, by_stream: bool) -> Result<()> {
    let created = client
        .create(Setup::of("yggdrasil", 2))
        .start_when_full()
        .await?;
    let seat = created.join("Bench").seats([0, 1]).as_bot().await?;
    if by_stream {
        return play_by_stream(&seat).await;
    }
    play_by_calls(&seat).await
}

async fn play_by_calls(seat: &Match) -> Result<()> {
    let mut next = seat.decision().await?;
    while let Some(decision) = next {
        let option = fastrand::usize(..decision.options.len());
        let done = seat.submit(decision.id, [option]).await?;
        ANSWERS.fetch_add(1, Ordering::Relaxed);
        if done.status() != MatchStatus::Playing {
            break;
        }
        next = match done
            .decision
            .filter(|decision| !decision.options.is_empty())
        {
            Some(decision) => Some(decision),
            None => seat.decision().await?,
        };
    }
    Ok(())
}

async fn play_by_stream(seat: &Match) -> Result<()> {
    let mut bot = |prompt: &PlayPrompt| {
        ANSWERS.fetch_add(1, Ordering::Relaxed);
        fastrand::usize(..prompt.decision.as_ref().map_or(1, |d| d.options.len()))
    };
    seat.play(&mut bot).without_views().await?;
    Ok(())
}
