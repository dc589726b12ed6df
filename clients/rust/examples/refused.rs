//! Gives a command that the rules forbid, and says why. Usage: refused HOST:PORT

use taflhall::v1::{Command, Setup};
use taflhall::yggdrasil::v1::{ChooseDie, command::Kind};
use taflhall::{BoxError, Client};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let address = std::env::args().nth(1).ok_or("usage: refused HOST:PORT")?;
    let client = Client::connect(address)?;
    let created = client
        .create(Setup::of("yggdrasil", 1))
        .start_when_full()
        .await?;
    let ann = created.join("Ann").await?;
    let decision = ann.decision().await?.ok_or("no decision is pending")?;

    let command = Command::from(Kind::ChooseDie(ChooseDie { index: 63 }));
    let Err(error) = ann.submit(decision.id, [command]).await else {
        return Err("it was not refused".into());
    };
    let illegal = error
        .illegal_command()
        .ok_or("the command was not the reason")?;
    println!("refused: {} {}", illegal.refusal, illegal.rule);

    let said = ann.explain(command, None).await?;
    println!("explained: {}", said.refusal.unwrap_or_default().text);
    Ok(())
}
