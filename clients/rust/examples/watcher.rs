//! Prints what happens in a match, and how it ends. Usage: watcher HOST:PORT MATCH

use taflhall::v1::watch_match_response::Update;
use taflhall::{Client, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, id, ..] = arguments.as_slice() else {
        eprintln!("usage: watcher HOST:PORT MATCH");
        std::process::exit(2);
    };
    let client = Client::builder(address).language("en").connect()?;
    let mut watch = client.match_by_id(id).watch().open();
    while let Some(message) = watch.next().await {
        let message = message?;
        match message.update {
            Some(Update::Snapshot(_)) => println!("{} snapshot", message.revision),
            Some(Update::Change(change)) => {
                for event in change.events {
                    println!("{} {}", message.revision, event.text);
                }
            }
            Some(Update::End(end)) => {
                let result = end.r#match.unwrap_or_default().result.unwrap_or_default();
                for seat in result.seats {
                    println!("seat {}: place {}", seat.seat, seat.place);
                }
            }
            _ => {}
        }
    }
    Ok(())
}
