//! Unary calls: repeated with the same request until their outcome is definite.

use std::time::Duration;

use prost::Message;
use prost::bytes::Bytes;
use tokio::time::{Instant, sleep, timeout};
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Code, Request, Status, Streaming};

use crate::client::{Client, MAX_MESSAGE};
use crate::codec::RawCodec;
use crate::error::{Error, Result};
use crate::timing::Pauses;

/// How often a call is made that ends in a fault of the server.
const FAULT_ATTEMPTS: u32 = 4;

impl Client {
    /// Makes a unary call of the contract by its full name, and repeats it as the crate says.
    /// Without a secret it is made for the account of the client.
    ///
    /// ```no_run
    /// # async fn example(client: taflhall::Client) -> taflhall::Result<()> {
    /// use taflhall::v1::{GetGameRequest, GetGameResponse};
    ///
    /// let request = GetGameRequest { game: "yggdrasil".into(), language: "en".into() };
    /// let method = "taflhall.v1.CatalogService/GetGame";
    /// let reply: GetGameResponse = client.call(method, &request, None).await?;
    /// println!("{} rules", reply.rules.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call<M: Message + Default>(
        &self,
        method: &str,
        request: &impl Message,
        secret: Option<&str>,
    ) -> Result<M> {
        let request = request.encode_to_vec().into();
        let reply = self.call_encoded(method, request, secret).await?;
        M::decode(reply).map_err(|fault| Error::local(Code::Internal, fault.to_string()))
    }

    /// Makes a unary call as [`Client::call`] does, with messages that are encoded already.
    pub async fn call_encoded(
        &self,
        method: &str,
        request: Bytes,
        secret: Option<&str>,
    ) -> Result<Bytes> {
        let path = path_of(method).map_err(|status| Error::of_status(status, self.language()))?;
        let begin = Instant::now();
        let left = || {
            let time = self.until_reached(self.timing().call);
            time.saturating_sub(begin.elapsed())
        };
        let mut pauses = Pauses::new(self.timing());
        let mut last: Option<Error> = None;
        let mut faults = 0;
        loop {
            let limit = left().min(self.until_answered(self.timing().attempt));
            let failure = match self.attempt(&path, request.clone(), secret, limit).await {
                Ok(reply) => {
                    self.set_reached();
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            // what the server said says more than that it said nothing this time
            let silent = failure.code() == Code::DeadlineExceeded;
            let failure = if silent {
                last.take().unwrap_or(failure)
            } else {
                failure
            };
            faults += u32::from(matches!(failure.code(), Code::Internal | Code::Unknown));
            if !failure.is_repeatable() || faults >= FAULT_ATTEMPTS {
                return Err(failure);
            }
            let pause = pauses.next(&failure);
            if left() <= pause {
                return Err(self.explained(failure.into_timeout()));
            }
            sleep(pause).await;
            last = Some(failure);
        }
    }

    /// Makes a call that streams to the client by its full name, with messages that are encoded
    /// already. It is not opened again.
    pub async fn stream_encoded(
        &self,
        method: &str,
        request: Bytes,
        secret: Option<&str>,
    ) -> Result<Streaming<Bytes>> {
        let request = self.authorized(request, secret)?;
        let place = self.place();
        let reply = async {
            let mut grpc = self.grpc().await?;
            let path = path_of(method)?;
            grpc.server_streaming(request, path, RawCodec).await
        };
        let reply = reply.await.map_err(|status| self.error(status, place))?;
        Ok(reply.into_inner())
    }

    async fn attempt(
        &self,
        path: &PathAndQuery,
        request: Bytes,
        secret: Option<&str>,
        limit: Duration,
    ) -> Result<Bytes> {
        let mut request = self.authorized(request, secret)?;
        request.set_timeout(limit);
        let place = self.place();
        let begin = Instant::now();
        let outcome = timeout(limit, self.exchange(path.clone(), request)).await;
        let silent = || {
            self.leave(place);
            Error::local(Code::DeadlineExceeded, "no answer came in time")
        };
        match outcome {
            Ok(Ok(reply)) => Ok(reply),
            // the timer of tonic for the same time may be the first
            Ok(Err(status)) if is_expired(&status) && begin.elapsed() >= limit => Err(silent()),
            Ok(Err(status)) => Err(self.error(status, place)),
            Err(_) => Err(silent()),
        }
    }

    async fn exchange(&self, path: PathAndQuery, request: Request<Bytes>) -> Result<Bytes, Status> {
        let mut grpc = self.grpc().await?;
        Ok(grpc.unary(request, path, RawCodec).await?.into_inner())
    }

    /// Returns a stub of no service that is ready to be called.
    async fn grpc(&self) -> Result<Grpc<Channel>, Status> {
        let mut grpc = Grpc::new(self.channel()).max_decoding_message_size(MAX_MESSAGE);
        grpc.ready()
            .await
            .map_err(|fault| Status::from_error(fault.into()))?;
        Ok(grpc)
    }
}

fn is_expired(status: &Status) -> bool {
    matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled)
}

fn path_of(method: &str) -> Result<PathAndQuery, Status> {
    let path = PathAndQuery::try_from(format!("/{method}"));
    path.map_err(|_| Status::unimplemented(format!("{method} is not a method")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RandomBot;
    use crate::reason::Reason;
    use crate::timing::Timing;

    fn client(call: Duration) -> Client {
        let timing = Timing {
            call,
            first_pause: Duration::from_millis(5),
            longest_pause: Duration::from_millis(10),
            ..Timing::default()
        };
        let builder = Client::builder("127.0.0.1:9").timing(timing); // nobody listens there
        builder.connect().unwrap()
    }

    #[tokio::test]
    async fn a_call_without_a_server_ends_with_its_time() {
        let outcome = client(Duration::from_millis(50)).games().await;
        let error = outcome.unwrap_err();
        assert_eq!(*error.reason(), Reason::Status(Code::Unavailable));
        assert!(error.is_timeout() && error.is_uncertain());
    }

    #[tokio::test]
    async fn where_nobody_ever_answered_calls_and_streams_end_soon() {
        let timing = Timing {
            call: Duration::from_secs(3600),
            connect: Duration::from_millis(200),
            first_pause: Duration::from_millis(5),
            longest_pause: Duration::from_millis(10),
            patience: Duration::from_secs(3600),
            ..Timing::default()
        };
        let builder = Client::builder("127.0.0.1:9, 127.0.0.1:7").timing(timing);
        let client = builder.connect().unwrap();
        let called = client.games().await.unwrap_err();
        let watched = client.match_by_id("m").watch().open().next().await;
        for error in [called, watched.unwrap().unwrap_err()] {
            let addresses = error.unreachable().expect("no server is there").addresses;
            assert_eq!(addresses, ["127.0.0.1:9", "127.0.0.1:7"]);
        }
        client.set_reached();
        let patient = tokio::time::timeout(2 * timing.connect, client.games());
        assert!(
            patient.await.is_err(),
            "it gave up after a server had answered"
        );
    }

    #[tokio::test]
    async fn a_port_that_accepts_and_says_nothing_is_unreachable() {
        let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let timing = Timing {
            connect: Duration::from_millis(200),
            ..Timing::default()
        };
        let address = mute.local_addr().unwrap().to_string();
        let client = Client::builder(&address).timing(timing).connect().unwrap();
        let seat = client.match_by_id("m").with_secret("s");
        let called = client.games().await.unwrap_err();
        let watched = seat.watch().open().next().await.unwrap().unwrap_err();
        let played = seat.play(&mut RandomBot::new(1)).await.unwrap_err();
        let all = client.play_all(|_| RandomBot::new(1)).at_seats([&seat]);
        for error in [called, watched, played, all.await.unwrap_err()] {
            assert_eq!(error.unreachable().unwrap().addresses, [address.as_str()]);
        }
    }

    #[tokio::test]
    async fn a_name_that_is_none_of_a_method_fails_at_once() {
        let client = client(Duration::from_secs(60));
        let outcome = client.call_encoded("no name", Bytes::new(), None).await;
        assert_eq!(outcome.unwrap_err().code(), Code::Unimplemented);
    }
}
