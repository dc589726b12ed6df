//! Cuts its watch of a match after the first change, and continues from there with another connection:
//! nothing is lost or comes twice. Usage: resume HOST:PORT MATCH

use taflhall::v1::watch_match_response::Update;
use taflhall::{Client, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, id, ..] = arguments.as_slice() else {
        eprintln!("usage: resume HOST:PORT MATCH");
        std::process::exit(2);
    };
    let (token, revision) = watch(&Client::connect(address)?, id, "", true).await?;
    println!("cut after revision {revision}");
    let (_, revision) = watch(&Client::connect(address)?, id, &token, false).await?;
    println!("ends at revision {revision}");
    Ok(())
}

/// Watches from after a token to the first change, or to the end; returns the last token and revision.
async fn watch(client: &Client, id: &str, token: &str, once: bool) -> Result<(String, i32)> {
    let mut last = (token.to_owned(), 0);
    let mut watch = client.match_by_id(id).watch().after(token).open();
    while let Some(message) = watch.next().await {
        let message = message?;
        last = (message.resume_token, message.revision);
        if once && matches!(message.update, Some(Update::Change(_))) {
            break;
        }
    }
    Ok(last)
}
