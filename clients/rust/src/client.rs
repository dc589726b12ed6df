//! A connection to a server.

use std::sync::Arc;
use std::time::Duration;

use tonic::metadata::MetadataValue;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request};

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
    channel: Channel,
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

    /// Returns the client. It sends nothing yet, and fails only if the address or the TLS
    /// configuration makes no sense. It has to be called in a tokio runtime.
    pub fn connect(self) -> Result<Client> {
        let address = &self.address;
        #[cfg(feature = "tls")]
        let endpoint = match self.tls {
            Some(tls) => endpoint(format!("https://{address}"))?
                .tls_config(tls)
                .map_err(invalid)?,
            None => endpoint(format!("http://{address}"))?,
        };
        #[cfg(not(feature = "tls"))]
        let endpoint = endpoint(format!("http://{address}"))?;
        Ok(Client(Arc::new(Inner {
            channel: endpoint.connect_lazy(),
            key: self.key.filter(|key| !key.is_empty()),
            language: self.language,
            timing: self.timing,
        })))
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
    /// Returns a client of the server at an address (`host:port`), in the clear and without an
    /// account. It sends nothing yet.
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

    /// Returns a builder of a client of the server at an address (`host:port`).
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

    /// Returns the connection, for stubs of other services.
    pub fn channel(&self) -> Channel {
        self.0.channel.clone()
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
        let mut request = Request::new(message);
        if let Some(secret) = secret.or(self.key()) {
            let value = MetadataValue::try_from(format!("Bearer {secret}"));
            let value = value.map_err(|_| {
                Error::local(
                    Code::Unauthenticated,
                    "the secret has characters that none has",
                )
            })?;
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
    async fn an_address_that_makes_no_sense_is_refused() {
        assert!(Client::connect("no address").is_err());
    }

    #[test]
    fn request_ids_are_long_and_differ() {
        let (one, other) = (new_request_id(), new_request_id());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
