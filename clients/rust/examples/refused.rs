//! Asks for what the server refuses, and shows why, and what is legal. Usage: refused HOST:PORT

use taflhall::champions::v1::{Leader, TakeLeader, command::Kind};
use taflhall::v1::{Command, Setup};
use taflhall::{Client, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let Some(address) = std::env::args().nth(1) else {
        eprintln!("usage: refused HOST:PORT");
        std::process::exit(2);
    };
    let client = Client::builder(address).language("en").connect()?;

    if let Err(error) = client.create(Setup::of("champions", 99)).await {
        for fault in error.violations() {
            println!("reason: {}", error.reason());
            println!("field: {}", fault.field);
            println!("text: {}", fault.text);
        }
    }

    let create = client.create(Setup::of("champions", 2)).start_when_full();
    let ann = create.await?.join("Ann").seats([0, 1]).await?;
    let leader = Leader::Asmundr.into();
    let asmundr = Command::from(Kind::TakeLeader(TakeLeader { leader }));
    let first = ann.decision().await?.unwrap_or_default();
    let taken = ann.submit(first.id, [asmundr.clone()]).await?;
    let next = taken.decision.unwrap_or_default(); // of the seat that wants the same leader
    if let Err(error) = ann.submit(next.id, [asmundr.clone()]).await {
        let rule = error.illegal_command().map_or("", |illegal| illegal.rule);
        println!("reason: {}", error.reason());
        println!("rule: {rule}");
        println!("text: {}", error.message());
    }
    let explained = ann.explain(asmundr, Some(next.seat)).await?;
    println!("rule text: {}", explained.rule_text);
    for option in next.options {
        println!("legal: {}", option.text);
    }
    Ok(())
}
