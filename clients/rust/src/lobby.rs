//! What a client does outside of a match: list games and matches, find one, watch the lobby.

use std::future::IntoFuture;

use tonic::{Status, Streaming};

use crate::client::{Client, MAX_MESSAGE, new_request_id};
use crate::error::Result;
use crate::matches::{Join, Match, Pending};
use crate::updates::{Source, Updates};
use crate::v1::lobby_service_client::LobbyServiceClient;
use crate::v1::{self, WatchLobbyRequest, WatchLobbyResponse};

impl Client {
    /// Returns the games of the server and its limits.
    pub async fn games(&self) -> Result<v1::ListGamesResponse> {
        let request = v1::ListGamesRequest {
            language: self.language().into(),
        };
        self.call("taflhall.v1.CatalogService/ListGames", &request, None)
            .await
    }

    /// Returns a page of the matches that fit the request.
    pub async fn matches(
        &self,
        mut request: v1::ListMatchesRequest,
    ) -> Result<v1::ListMatchesResponse> {
        if request.language.is_empty() {
            request.language = self.language().into();
        }
        self.call("taflhall.v1.MatchService/ListMatches", &request, None)
            .await
    }

    /// Returns the match of that id, to watch it or to join; [`Match::with_secret`] to act in it.
    pub fn match_by_id(&self, id: impl Into<String>) -> Match {
        Match::new(self.clone(), id.into(), Vec::new())
    }

    /// Takes a seat under a name in an open match that fits, or opens one: one seat, however often
    /// the call is repeated.
    ///
    /// ```no_run
    /// # async fn example(client: taflhall::Client) -> taflhall::Result<()> {
    /// use taflhall::v1::Setup;
    ///
    /// let seat = client.find_match(Setup::of("champions", 2), "Ann").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn find_match(&self, setup: v1::Setup, name: impl Into<String>) -> FindMatch {
        let request = v1::FindMatchRequest {
            setup: Some(setup),
            name: name.into(),
            request_id: new_request_id(),
            language: self.language().into(),
            ..Default::default()
        };
        FindMatch {
            client: self.clone(),
            request,
        }
    }

    /// Takes a seat under a name in the match with that join code.
    pub fn join_by_code(&self, code: impl Into<String>, name: impl Into<String>) -> Join {
        self.match_by_id("").join(name).code(code)
    }

    /// Returns what changes among the matches that pass the filter, as they open, fill, start and end.
    ///
    /// List the matches once the watch has begun, and again after an update that says `lost`. A lost
    /// stream is opened again after the last message.
    pub fn watch_lobby(&self, mut filter: v1::ListMatchesRequest) -> Updates<v1::LobbyUpdate> {
        if filter.language.is_empty() {
            filter.language = self.language().into();
        }
        Updates::of(Lobby {
            client: self.clone(),
            request: WatchLobbyRequest {
                filter: Some(filter),
                ..Default::default()
            },
        })
    }
}

/// A match that is to be found; await it.
#[derive(Clone, Debug)]
#[must_use]
pub struct FindMatch {
    client: Client,
    request: v1::FindMatchRequest,
}

impl FindMatch {
    /// Says that a program sits there.
    pub fn as_bot(mut self) -> Self {
        self.request.kind = v1::SeatKind::Bot.into();
        self
    }

    /// Limits the time of the seats.
    pub fn time_control(mut self, time_control: v1::TimeControl) -> Self {
        self.request.time_control = Some(time_control);
        self
    }

    /// Wants a match with this label.
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.request.labels.insert(key.into(), value.into());
        self
    }
}

impl IntoFuture for FindMatch {
    type Output = Result<Match>;
    type IntoFuture = Pending<'static, Match>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let method = "taflhall.v1.LobbyService/FindMatch";
            let reply: v1::FindMatchResponse =
                self.client.call(method, &self.request, None).await?;
            let id = reply.r#match.unwrap_or_default().id;
            let found = Match::new(self.client, id, vec![reply.seat]);
            Ok(found.with_secret(reply.seat_secret))
        })
    }
}

struct Lobby {
    client: Client,
    request: WatchLobbyRequest,
}

impl Source for Lobby {
    type Message = WatchLobbyResponse;
    type Update = v1::LobbyUpdate;

    fn client(&self) -> &Client {
        &self.client
    }

    async fn open(&self) -> Result<Streaming<WatchLobbyResponse>, Status> {
        let request = self.client.request(self.request.clone(), None)?;
        let stub = LobbyServiceClient::new(self.client.channel());
        let mut stub = stub.max_decoding_message_size(MAX_MESSAGE);
        Ok(stub.watch_lobby(request).await?.into_inner())
    }

    fn take(&mut self, message: WatchLobbyResponse) -> Result<Vec<v1::LobbyUpdate>> {
        self.request.resume_token = message.resume_token;
        Ok(message.updates)
    }
}
