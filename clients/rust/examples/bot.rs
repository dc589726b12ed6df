//! Joins a match and plays at random. Usage: bot HOST:PORT MATCH [NAME]

use taflhall::{BoxError, Client, RandomBot};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let usage = "usage: bot HOST:PORT MATCH [NAME]";
    let mut arguments = std::env::args().skip(1);
    let client = Client::connect(arguments.next().ok_or(usage)?)?;
    let open = client.match_by_id(arguments.next().ok_or(usage)?);
    let name = arguments.next().unwrap_or("Crab".into());
    let seat = open.join(name).as_bot().await?;
    let end = seat.play(&mut RandomBot::new(1)).await?;
    println!("{} {:?}", end.status().as_str_name(), end.result);
    Ok(())
}
