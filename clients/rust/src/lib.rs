//! The Rust client of Taflhall: hosted matches of board games over gRPC.
//!
//! ```no_run
//! use taflhall::{Client, RandomBot, v1::Setup};
//!
//! #[tokio::main]
//! async fn main() -> taflhall::Result<()> {
//!     let client = Client::connect("localhost:50051")?;
//!     let created = client.create(Setup::of("yggdrasil", 2)).await?;
//!     let ann = created.join("Ann").seats([0, 1]).await?;
//!     created.start().await?;
//!     let end = ann.play(&mut RandomBot::new(1)).await?;
//!     println!("{:?}", end.result);
//!     Ok(())
//! }
//! ```
//!
//! Values are the messages of the contract: [`v1`] has matches, decisions and events, and each game
//! has a module of its own.
//!
//! # Calls
//!
//! A call whose outcome is unknown is repeated with the same request id until it is definite or its
//! time is up ([`Timing::call`]). A call above a rate limit is repeated after the pause that the
//! server asks for. What remains is an [`Error`] with a [`Reason`].
//!
//! Until a server has answered for the first time, a call or a stream is given up after
//! [`Timing::connect`]; [`Error::unreachable`] then says which addresses were tried.
//!
//! # Streams
//!
//! [`Match::watch`] and [`Match::play`] open a lost stream again. A watch continues after the last
//! message and delivers each change once.
//!
//! # Cancellation
//!
//! A future that is dropped ends its call at once, and dropped [`Updates`] their stream, on the server
//! too. For a deadline of one's own there is `tokio::time::timeout`.

mod address;
mod analysis;
mod bot;
mod call;
mod client;
mod codec;
mod create;
mod error;
mod lobby;
mod matches;
mod play;
mod play_all;
mod reason;
mod seats;
mod stream;
mod timing;
#[cfg(feature = "tls")]
mod tls;
mod tournaments;
mod updates;
mod values;
mod watch;

pub use analysis::Analysis;
pub use bot::{Bot, RandomBot};
pub use client::{Client, ClientBuilder};
pub use create::Create;
pub use error::{BoxError, Error, IllegalCommand, Result, Unreachable, Violation};
pub use lobby::FindMatch;
pub use matches::{Join, Match, Pending, Submit};
pub use play::Play;
pub use play_all::PlayAll;
pub use reason::Reason;
pub use timing::Timing;
#[cfg(feature = "tls")]
pub use tls::tls_from_files;
pub use tournaments::{CreateTournament, Tournament};
pub use updates::Updates;
pub use watch::WatchOptions;

pub use tonic;

/// The descriptors of the contract: an encoded `google.protobuf.FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!("gen/descriptors.binpb");

macro_rules! generated {
    ($(#[$doc:meta])* $name:ident, $file:literal) => {
        $(#[$doc])*
        #[allow(dead_code, missing_docs, clippy::all, rustdoc::all)]
        pub mod $name {
            include!($file);
        }
    };
}

generated! {
    /// Messages and stubs of matches, the catalogue, the lobby and the engine.
    v1, "gen/taflhall/v1/taflhall.v1.rs"
}

/// The service for administrators.
pub mod admin {
    generated! {
        /// Its messages and stubs.
        v1, "gen/taflhall/admin/v1/taflhall.admin.v1.rs"
    }
}

/// Champions of Midgard.
pub mod champions {
    generated! {
        /// Its values.
        v1, "gen/taflhall/champions/v1/taflhall.champions.v1.rs"
    }
}

/// The Lord of the Ice Garden.
pub mod ice_garden {
    generated! {
        /// Its values.
        v1, "gen/taflhall/ice_garden/v1/taflhall.ice_garden.v1.rs"
    }
}

/// Tournaments as messages; [`Tournament`] is one to take part in.
pub mod tournament {
    generated! {
        /// Their messages and stubs.
        v1, "gen/taflhall/tournament/v1/taflhall.tournament.v1.rs"
    }
}

/// Yggdrasil.
pub mod yggdrasil {
    generated! {
        /// Its values.
        v1, "gen/taflhall/yggdrasil/v1/taflhall.yggdrasil.v1.rs"
    }
}

mod google {
    generated!(rpc, "gen/google/rpc/google.rpc.rs");
}
