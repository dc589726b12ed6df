//! Asks for what the server refuses, and says why. Usage: refused HOST:PORT

use taflhall::v1::{Command, Setup};
use taflhall::yggdrasil::v1::{Helheim, command::Kind};
use taflhall::{Client, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let Some(address) = std::env::args().nth(1) else {
        eprintln!("usage: refused HOST:PORT");
        std::process::exit(2);
    };
    let client = Client::builder(address).language("en").connect()?;

    if let Err(error) = client.create(Setup::of("yggdrasil", 99)).await {
        for fault in error.violations() {
            println!("reason: {}", error.reason());
            println!("field: {}", fault.field);
            println!("text: {}", fault.text);
        }
    }

    let create = client.create(Setup::of("yggdrasil", 1)).start_when_full();
    let ann = create.await?.join("Ann").await?;
    let decision = ann.decision().await?.unwrap_or_default();
    let command = Command::from(Kind::Helheim(Helheim::default()));
    if let Err(error) = ann.submit(decision.id, [command.clone()]).await {
        println!("reason: {}", error.reason());
        println!(
            "rule: {}",
            error.illegal_command().map_or("", |illegal| illegal.rule)
        );
        println!("text: {}", error.message());
    }
    let said = ann.explain(command, None).await?;
    println!("explained: {}", said.rule_text);
    Ok(())
}
