//! Watches a match, is cut off after every tenth change, and goes on after the last one with another
//! connection: nothing is lost or comes twice. Usage: resume HOST:PORT MATCH

use taflhall::v1::watch_match_response::Update;
use taflhall::{BoxError, Client};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let usage = "usage: resume HOST:PORT MATCH";
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or(usage)?;
    let id = arguments.next().ok_or(usage)?;
    let (mut token, mut changes) = (String::new(), 0);
    for connection in 1.. {
        let client = Client::connect(&address)?;
        let over = watch(&client, &id, &mut token, &mut changes).await?;
        println!("connection {connection} ends after {changes} changes");
        if over {
            break;
        }
    }
    Ok(())
}

/// Counts changes until the tenth or the end of the match; returns whether it is over.
async fn watch(
    client: &Client,
    id: &str,
    token: &mut String,
    changes: &mut u32,
) -> taflhall::Result<bool> {
    let mut watch = client.match_by_id(id).watch().after(token.as_str()).open();
    while let Some(message) = watch.next().await {
        let message = message?;
        *token = message.resume_token;
        if let Some(Update::Change(_)) = message.update {
            *changes += 1;
            if changes.is_multiple_of(10) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
