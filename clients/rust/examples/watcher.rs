//! Prints what happens in a match, in German. Usage: watcher HOST:PORT MATCH

use taflhall::v1::watch_match_response::Update;
use taflhall::{BoxError, Client};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let usage = "usage: watcher HOST:PORT MATCH";
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or(usage)?;
    let id = arguments.next().ok_or(usage)?;
    let client = Client::builder(address).language("de").connect()?;
    let mut watch = client.match_by_id(id).watch().open();
    while let Some(message) = watch.next().await {
        let message = message?;
        match message.update {
            Some(Update::Snapshot(snapshot)) => {
                let found = snapshot.r#match.unwrap_or_default();
                println!("{} {}", message.revision, found.status().as_str_name());
            }
            Some(Update::Change(change)) => {
                for event in change.events {
                    println!("{} {}", message.revision, event.text);
                }
            }
            Some(Update::End(end)) => {
                let result = end.r#match.unwrap_or_default().result.unwrap_or_default();
                for seat in result.seats {
                    println!("place {} for seat {}", seat.place, seat.seat);
                }
            }
            _ => {}
        }
    }
    Ok(())
}
