//! Plays wherever its account is invited or sits, many matches over one stream, until it is stopped.
//! Usage: serve HOST:PORT API_KEY

use taflhall::v1::PlayAllEntered;
use taflhall::{Client, RandomBot, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, key, ..] = arguments.as_slice() else {
        eprintln!("usage: serve HOST:PORT API_KEY");
        std::process::exit(2);
    };
    let client = Client::builder(address).key(key).connect()?;
    let new_bot = |entered: &PlayAllEntered| {
        let id = entered.r#match.as_ref().map_or("", |found| &found.id);
        println!("{id} entered");
        RandomBot::new(1)
    };
    let serving = client
        .play_all(new_bot)
        .offer(8, [] as [&str; 0])
        .on_end(|id, outcome| match outcome {
            Ok(_) => println!("{id} is over"),
            Err(error) => println!("{id} left: {error}"),
        });
    tokio::select! {
        outcome = serving => outcome,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}
