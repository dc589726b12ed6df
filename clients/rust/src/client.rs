//! A connection to a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tonic::metadata::MetadataValue;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

use crate::address::{addresses_of, check_key};
use crate::error::{Error, Result};
use crate::timing::Timing;
use crate::v1::match_service_client::MatchServiceClient;

/// The greatest message that is accepted, in bytes.
pub(crate) const MAX_MESSAGE: usize = 16 << 20;

/// A connection to a server. A clone uses the same connection, which ends with the last one.
#[derive(Clone, Debug)]
pub struct Client(Arc<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    /// One for each replica.
    channels: Vec<Channel>,
    addresses: Vec<String>,
    /// How often one was left for the next one.
    moves: Arc<AtomicUsize>,
    /// Whether a server has answered.
    reached: Arc<AtomicBool>,
    key: Option<String>,
    language: String,
    timing: Timing,
}

/// What is to be set of a [`Client`] before it connects.
#[derive(Clone, Debug)]
#[must_use]
pub struct ClientBuilder {
    address: String,
    key: Option<String>,
    language: String,
    timing: Timing,
    #[cfg(feature = "tls")]
    tls: Option<tonic::transport::ClientTlsConfig>,
}

impl ClientBuilder {
    /// Proves an account by its API key, in every call that has no secret of its own.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Requests texts for people in a language: a BCP 47 tag, such as `"de-AT"`. Without it options,
    /// events and decisions come without texts, which is faster, and errors in English.
    pub fn language(mut self, tag: impl Into<String>) -> Self {
        self.language = tag.into();
        self
    }

    /// Sets how long the client waits.
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Speaks TLS; see [`tls_from_files`](crate::tls_from_files). Without it the connection is in
    /// the clear.
    #[cfg(feature = "tls")]
    pub fn tls(mut self, tls: tonic::transport::ClientTlsConfig) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Returns the client. It sends nothing yet, and fails only if an address, the API key or the TLS
    /// configuration makes no sense. It has to be called in a tokio runtime.
    pub fn connect(self) -> Result<Client> {
        let addresses = addresses_of(&self.address)?;
        check_key(self.key.as_deref().unwrap_or_default())?;
        let mut channels = Vec::new();
        for address in &addresses {
            channels.push(self.endpoint(address)?.connect_lazy());
        }
        Ok(Client(Arc::new(Inner {
            channels,
            addresses,
            moves: Arc::default(),
            reached: Arc::default(),
            key: self.key.filter(|key| !key.is_empty()),
            language: self.language,
            timing: self.timing,
        })))
    }

    fn endpoint(&self, address: &str) -> Result<Endpoint> {
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            let endpoint = endpoint(format!("https://{address}"))?;
            return endpoint.tls_config(tls.clone()).map_err(invalid);
        }
        endpoint(format!("http://{address}"))
    }
}

fn endpoint(uri: String) -> Result<Endpoint> {
    let endpoint = Endpoint::from_shared(uri).map_err(invalid)?;
    Ok(endpoint
        .user_agent("taflhall-rust")
        .map_err(invalid)?
        .connect_timeout(Duration::from_secs(5))
        .http2_keep_alive_interval(Duration::from_secs(60))
        .keep_alive_timeout(Duration::from_secs(20)))
}

fn invalid(fault: tonic::transport::Error) -> Error {
    let source = std::error::Error::source(&fault).map_or(String::new(), |s| format!(": {s}"));
    Error::local(Code::InvalidArgument, format!("{fault}{source}"))
}

impl Client {
    /// Returns a client of the server at an address, in the clear and without an account:
    /// `host:port`, or several with commas between, which are replicas of one service. Calls and
    /// streams go to one that answers. It sends nothing yet.
    ///
    /// ```no_run
    /// # async fn example() -> taflhall::Result<()> {
    /// let client = taflhall::Client::connect("localhost:50051")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn connect(address: impl Into<String>) -> Result<Self> {
        Client::builder(address).connect()
    }

    /// Returns a builder of a client of the server at an address, or at those of several replicas.
    ///
    /// ```no_run
    /// # fn example() -> taflhall::Result<taflhall::Client> {
    /// taflhall::Client::builder("taflhall.example:443").key("tfk_...").language("de").connect()
    /// # }
    /// ```
    pub fn builder(address: impl Into<String>) -> ClientBuilder {
        ClientBuilder {
            address: address.into(),
            key: None,
            language: String::new(),
            timing: Timing::default(),
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// Returns a client on the same connection that waits otherwise.
    pub fn with_timing(&self, timing: Timing) -> Self {
        Client(Arc::new(Inner {
            timing,
            ..(*self.0).clone()
        }))
    }

    /// Returns the connection to the replica in use, for stubs of other services.
    pub fn channel(&self) -> Channel {
        self.0.channels[self.place() % self.0.channels.len()].clone()
    }

    /// Notes that a server has answered.
    pub(crate) fn set_reached(&self) {
        self.0.reached.store(true, Ordering::Relaxed);
    }

    /// Returns how long to wait for a server: not long before one has ever answered.
    pub(crate) fn until_reached(&self, usual: Duration) -> Duration {
        if self.0.reached.load(Ordering::Relaxed) {
            return usual;
        }
        usual.min(self.timing().connect)
    }

    /// Returns how long to wait for one answer: before the first, every replica is tried in time.
    pub(crate) fn until_answered(&self, usual: Duration) -> Duration {
        if self.0.reached.load(Ordering::Relaxed) {
            return usual;
        }
        let replicas = self.0.addresses.len().max(1) as u32;
        usual.min(self.timing().connect / replicas)
    }

    /// Returns an error with what to check, if no server has ever answered.
    pub(crate) fn explained(&self, error: Error) -> Error {
        let lost = matches!(error.code(), Code::Unavailable | Code::DeadlineExceeded);
        if self.0.reached.load(Ordering::Relaxed) || !error.is_unheard() || !lost {
            return error;
        }
        error.into_unreachable(&self.0.addresses)
    }

    /// Returns what says which replica is in use.
    pub(crate) fn place(&self) -> usize {
        self.0.moves.load(Ordering::Relaxed)
    }

    /// Uses the next replica, unless the one at that place was left already.
    pub(crate) fn leave(&self, place: usize) {
        let order = Ordering::Relaxed;
        let _ = self
            .0
            .moves
            .compare_exchange(place, place + 1, order, order);
    }

    /// Returns the error of a call to the replica at that place, which is left if it is down.
    pub(crate) fn error(&self, status: Status, place: usize) -> Error {
        let error = Error::of_status(status, self.language());
        if !error.is_unheard() {
            self.set_reached();
        }
        if error.code() == Code::Unavailable {
            self.leave(place);
        }
        error
    }

    /// Returns how long the client waits.
    pub fn timing(&self) -> Timing {
        self.0.timing
    }

    /// Returns the language of texts for people; empty without one.
    pub fn language(&self) -> &str {
        &self.0.language
    }

    /// Returns a request, for a stub, that proves the secret, or else the account of the client.
    pub fn authorized<T>(&self, message: T, secret: Option<&str>) -> Result<Request<T>> {
        Ok(self.request(message, secret)?)
    }

    pub(crate) fn request<T>(
        &self,
        message: T,
        secret: Option<&str>,
    ) -> Result<Request<T>, Status> {
        let mut request = Request::new(message);
        if let Some(secret) = secret.or(self.key()) {
            let value = MetadataValue::try_from(format!("Bearer {secret}"));
            let value = value
                .map_err(|_| Status::unauthenticated("the secret has characters that none has"))?;
            request.metadata_mut().insert("authorization", value);
        }
        Ok(request)
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    pub(crate) fn stub(&self) -> MatchServiceClient<Channel> {
        MatchServiceClient::new(self.channel()).max_decoding_message_size(MAX_MESSAGE)
    }
}

/// Returns a name for a request that nobody else can guess.
pub(crate) fn new_request_id() -> String {
    let mut id = [0; 16];
    getrandom::fill(&mut id).expect("the system has random numbers");
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_secret_of_a_request_goes_before_the_key() {
        let client = Client::builder("localhost:1")
            .key("tfk_a")
            .connect()
            .unwrap();
        for (secret, sent) in [(None, "Bearer tfk_a"), (Some("s"), "Bearer s")] {
            let request = client.authorized((), secret).unwrap();
            assert_eq!(request.metadata().get("authorization").unwrap(), sent);
        }
        let error = client.authorized((), Some("line\nline")).unwrap_err();
        assert_eq!(error.code(), Code::Unauthenticated);
    }

    #[tokio::test]
    async fn a_replica_that_is_down_is_left_once() {
        let client = Client::connect("127.0.0.1:1, 127.0.0.1:2").unwrap();
        let place = client.place();
        for _ in 0..2 {
            client.error(Status::unavailable("gone"), place);
        }
        assert_eq!(client.place(), place + 1);
        client.error(Status::not_found("there"), client.place());
        assert_eq!(client.place(), place + 1);
    }

    #[tokio::test]
    async fn an_address_that_makes_no_sense_is_refused() {
        assert!(Client::connect("no address").is_err());
        assert!(Client::builder("a:1").key("hunter2").connect().is_err());
    }

    #[test]
    fn request_ids_are_long_and_differ() {
        let (one, other) = (new_request_id(), new_request_id());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
