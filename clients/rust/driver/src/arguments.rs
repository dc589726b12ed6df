//! The arguments of all operations.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use taflhall::Timing;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Arguments {
    pub id: u64,
    pub op: String,
    pub client: String,
    pub of: u64,
    pub address: String,
    pub key: String,

    pub language: String,
    pub deadline: f64,
    pub attempt: f64,
    pub silence: f64,
    pub patience: f64,
    pub connect_deadline: f64,
    pub first_pause: f64,
    pub longest_pause: f64,
    pub tls: Option<Tls>,

    pub method: String,
    pub request: Value,

    #[serde(rename = "match")]
    pub match_id: String,
    pub secret: String,
    pub setup: Value,
    pub title: String,
    pub start_when_full: bool,
    pub name: String,
    pub seats: Vec<i32>,
    pub kind: String,
    pub seat: Option<i32>,
    pub decision: String,
    pub request_id: String,
    pub options: Vec<usize>,
    pub commands: Vec<Value>,
    pub command: Value,
    pub resume_token: String,
    pub choose: String,
    pub seed: u64,
    pub think: f64,
    pub proposals: String,
    pub with_events: bool,
    pub game: String,
    pub at: Vec<At>,
    pub games: Vec<String>,
    pub bot: String,
    pub reaction: String,
    pub tournament: String,
    pub action: String,
    pub account: String,
    pub max_matches: Option<i32>,
    pub first_revision: i32,
    pub iterations: i32,
    pub trials: i32,
    pub most: usize,
    pub mode: String,
    pub parallel: usize,
    pub seconds: f64,
}

/// Paths of PEM files.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Tls {
    pub ca: Option<String>,
    pub cert: Option<String>,
    pub key: Option<String>,
}

/// A seat to play.
#[derive(Debug, Deserialize)]
pub struct At {
    #[serde(rename = "match")]
    pub match_id: String,
    pub secret: String,
}

impl Arguments {
    pub fn timing(&self) -> Timing {
        let default = Timing::default();
        let or = |seconds: f64, default: Duration| match seconds {
            0.0 => default,
            _ => Duration::from_secs_f64(seconds),
        };
        Timing {
            call: or(self.deadline, default.call),
            connect: or(self.connect_deadline, default.connect),
            attempt: or(self.attempt, default.attempt),
            silence: or(self.silence, default.silence),
            patience: or(self.patience, default.patience),
            first_pause: or(self.first_pause, default.first_pause),
            longest_pause: or(self.longest_pause, default.longest_pause),
        }
    }
}
