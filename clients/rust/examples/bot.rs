//! Joins a match and plays at random. Usage: bot HOST:PORT MATCH [NAME]

use taflhall::{Client, RandomBot, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, id, name @ ..] = arguments.as_slice() else {
        eprintln!("usage: bot HOST:PORT MATCH [NAME]");
        std::process::exit(2);
    };
    let open = Client::connect(address)?.match_by_id(id);
    let name = name.first().map_or("Crab", String::as_str);
    let seat = open.join(name).as_bot().await?;
    let end = seat.play(&mut RandomBot::new(1)).await?;
    for seat in end.result.unwrap_or_default().seats {
        println!("seat {}: place {}", seat.seat, seat.place);
    }
    Ok(())
}
