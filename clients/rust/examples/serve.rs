//! Plays wherever its account is invited or sits, many matches over one stream, until it is
//! interrupted. Usage: serve HOST:PORT API_KEY

use taflhall::v1::PlayAllEntered;
use taflhall::{BoxError, Client, RandomBot};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let usage = "usage: serve HOST:PORT API_KEY";
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or(usage)?;
    let key = arguments.next().ok_or(usage)?;
    let client = Client::builder(address).key(key).connect()?;
    let new_bot = |entered: &PlayAllEntered| {
        let id = entered.r#match.as_ref().map_or("", |found| &found.id);
        println!("{id} entered at seats {:?}", entered.seats);
        RandomBot::new(1)
    };
    let serving = client
        .play_all(new_bot)
        .offer(20, [] as [&str; 0])
        .on_end(|id, outcome| match outcome {
            Ok(end) => println!("{id} {}", end.status().as_str_name()),
            Err(error) => println!("{id} {error}"),
        });
    tokio::select! {
        outcome = serving => Ok(outcome?),
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}
