//! Tournaments that the server runs.

use std::future::IntoFuture;

use prost::Message;
use tonic::{Status, Streaming};

use crate::client::{Client, MAX_MESSAGE, new_request_id};
use crate::error::Result;
use crate::matches::Pending;
use crate::tournament::v1::tournament_service_client::TournamentServiceClient;
use crate::tournament::v1::{
    self, TournamentStatus, WatchTournamentRequest, WatchTournamentResponse,
};
use crate::updates::{Source, Updates};
use crate::v1::{Setup, TimeControl};

impl Client {
    /// Announces a tournament of matches with this setup and time control. It is for accounts that
    /// host.
    ///
    /// ```no_run
    /// # async fn example(client: taflhall::Client) -> taflhall::Result<()> {
    /// use taflhall::v1::{Setup, TimeControl};
    ///
    /// let clock = TimeControl::default();
    /// let setup = Setup::of("yggdrasil", 2);
    /// let cup = client.create_tournament("Cup", setup, clock).rounds(3).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn create_tournament(
        &self,
        name: impl Into<String>,
        setup: Setup,
        time_control: TimeControl,
    ) -> CreateTournament {
        let request = v1::CreateTournamentRequest {
            name: name.into(),
            setup: Some(setup),
            time_control: Some(time_control),
            request_id: new_request_id(),
            ..Default::default()
        };
        CreateTournament {
            client: self.clone(),
            request,
        }
    }

    /// Returns the tournament of that id.
    pub fn tournament(&self, id: impl Into<String>) -> Tournament {
        Tournament {
            client: self.clone(),
            id: id.into(),
        }
    }

    /// Returns a page of the tournaments that fit the request, the newest first.
    pub async fn tournaments(
        &self,
        request: v1::ListTournamentsRequest,
    ) -> Result<v1::ListTournamentsResponse> {
        let method = "taflhall.tournament.v1.TournamentService/ListTournaments";
        self.call(method, &request, None).await
    }
}

/// A tournament that is to be announced; await it.
#[derive(Clone, Debug)]
#[must_use]
pub struct CreateTournament {
    client: Client,
    request: v1::CreateTournamentRequest,
}

impl CreateTournament {
    /// Pairs those with about the same points in each round, instead of everybody with everybody.
    pub fn swiss(mut self) -> Self {
        self.request.format = v1::TournamentFormat::Swiss.into();
        self
    }

    /// Sets how many rounds are played, instead of one.
    pub fn rounds(mut self, rounds: i32) -> Self {
        self.request.rounds = rounds;
        self
    }

    /// Sets how many accounts may enter, instead of as many as the server allows.
    pub fn max_entrants(mut self, entrants: i32) -> Self {
        self.request.max_entrants = entrants;
        self
    }

    /// Sets how many matches of one entrant are under way at once, instead of one.
    pub fn matches_at_once(mut self, matches: i32) -> Self {
        self.request.matches_at_once = matches;
        self
    }
}

impl IntoFuture for CreateTournament {
    type Output = Result<Tournament>;
    type IntoFuture = Pending<'static, Tournament>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let method = "taflhall.tournament.v1.TournamentService/CreateTournament";
            let reply: v1::CreateTournamentResponse =
                self.client.call(method, &self.request, None).await?;
            Ok(self
                .client
                .tournament(reply.tournament.unwrap_or_default().id))
        })
    }
}

/// A tournament of the server, as the account of the client may use it.
#[derive(Clone, Debug)]
pub struct Tournament {
    client: Client,
    id: String,
}

impl Tournament {
    /// Returns the name of the tournament in all calls.
    pub fn id(&self) -> &str {
        &self.id
    }

    async fn call<M: Message + Default>(&self, method: &str, request: &impl Message) -> Result<M> {
        let method = format!("taflhall.tournament.v1.TournamentService/{method}");
        self.client.call(&method, request, None).await
    }

    /// Returns the tournament as it is.
    pub async fn get(&self) -> Result<v1::Tournament> {
        let request = v1::GetTournamentRequest {
            tournament_id: self.id.clone(),
        };
        let reply: v1::GetTournamentResponse = self.call("GetTournament", &request).await?;
        Ok(reply.tournament.unwrap_or_default())
    }

    /// Enters our account under a name, or under its own if the name is empty.
    pub async fn enter(&self, name: impl Into<String>) -> Result<v1::Tournament> {
        let request = v1::EnterTournamentRequest {
            tournament_id: self.id.clone(),
            name: name.into(),
        };
        let reply: v1::EnterTournamentResponse = self.call("EnterTournament", &request).await?;
        Ok(reply.tournament.unwrap_or_default())
    }

    /// Withdraws our account, which after the start resigns its matches.
    pub async fn withdraw(&self) -> Result<v1::Tournament> {
        self.withdraw_account("").await
    }

    /// Withdraws an account. It is for the creator of the tournament.
    pub async fn withdraw_account(&self, account_id: impl Into<String>) -> Result<v1::Tournament> {
        let request = v1::WithdrawFromTournamentRequest {
            tournament_id: self.id.clone(),
            account_id: account_id.into(),
        };
        let reply: v1::WithdrawFromTournamentResponse =
            self.call("WithdrawFromTournament", &request).await?;
        Ok(reply.tournament.unwrap_or_default())
    }

    /// Starts the tournament: nobody enters any more, and its matches begin. It is for the creator.
    pub async fn start(&self) -> Result<v1::Tournament> {
        let request = v1::StartTournamentRequest {
            tournament_id: self.id.clone(),
        };
        let reply: v1::StartTournamentResponse = self.call("StartTournament", &request).await?;
        Ok(reply.tournament.unwrap_or_default())
    }

    /// Ends the tournament early; matches under way continue but do not count. It is for the creator.
    pub async fn cancel(&self) -> Result<v1::Tournament> {
        let request = v1::CancelTournamentRequest {
            tournament_id: self.id.clone(),
        };
        let reply: v1::CancelTournamentResponse = self.call("CancelTournament", &request).await?;
        Ok(reply.tournament.unwrap_or_default())
    }

    /// Returns the standings so far, best first.
    pub async fn standings(&self) -> Result<Vec<v1::TournamentStanding>> {
        let request = v1::GetTournamentStandingsRequest {
            tournament_id: self.id.clone(),
        };
        let reply: v1::GetTournamentStandingsResponse =
            self.call("GetTournamentStandings", &request).await?;
        Ok(reply.standings)
    }

    /// Returns the matches so far with their results, in the order of the schedule.
    pub async fn matches(&self) -> Result<Vec<v1::TournamentMatch>> {
        let mut found = Vec::new();
        let mut request = v1::ListTournamentMatchesRequest {
            tournament_id: self.id.clone(),
            page_size: 100,
            page_token: String::new(),
        };
        loop {
            let page: v1::ListTournamentMatchesResponse =
                self.call("ListTournamentMatches", &request).await?;
            found.extend(page.matches);
            if page.next_page_token.is_empty() {
                return Ok(found);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Returns what changes until the tournament has ended: first the tournament with all its matches
    /// so far, then what is new. A lost stream is opened again, and then begins like the first.
    ///
    /// ```no_run
    /// # async fn example(cup: taflhall::Tournament) -> taflhall::Result<()> {
    /// let mut watch = cup.watch();
    /// while let Some(update) = watch.next().await {
    ///     println!("{} matches are new", update?.matches.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self) -> Updates<WatchTournamentResponse> {
        Updates::of(Watch {
            tournament: self.clone(),
            over: false,
        })
    }
}

struct Watch {
    tournament: Tournament,
    over: bool,
}

impl Source for Watch {
    type Message = WatchTournamentResponse;
    type Update = WatchTournamentResponse;

    fn client(&self) -> &Client {
        &self.tournament.client
    }

    async fn open(&self) -> Result<Streaming<WatchTournamentResponse>, Status> {
        let client = self.client();
        let request = WatchTournamentRequest {
            tournament_id: self.tournament.id.clone(),
        };
        let stub = TournamentServiceClient::new(client.channel());
        let mut stub = stub.max_decoding_message_size(MAX_MESSAGE);
        let request = client.request(request, None)?;
        Ok(stub.watch_tournament(request).await?.into_inner())
    }

    fn take(&mut self, message: WatchTournamentResponse) -> Result<Vec<WatchTournamentResponse>> {
        use TournamentStatus::{Cancelled, Finished};
        if let Some(tournament) = &message.tournament {
            self.over = matches!(tournament.status(), Finished | Cancelled);
        }
        let heartbeat = message.tournament.is_none() && message.matches.is_empty();
        Ok(if heartbeat { vec![] } else { vec![message] })
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(status: Option<TournamentStatus>) -> WatchTournamentResponse {
        let tournament = status.map(|status| v1::Tournament {
            status: status.into(),
            ..Default::default()
        });
        WatchTournamentResponse {
            tournament,
            matches: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_watch_leaves_heartbeats_out_and_ends_with_the_tournament() {
        let client = Client::connect("localhost:1").unwrap();
        let mut watch = Watch {
            tournament: client.tournament("t"),
            over: false,
        };
        let playing = message(Some(TournamentStatus::Playing));
        assert!(watch.take(playing).unwrap().len() == 1 && !watch.is_over());
        assert!(watch.take(message(None)).unwrap().is_empty() && !watch.is_over());
        let finished = message(Some(TournamentStatus::Finished));
        assert!(watch.take(finished).unwrap().len() == 1 && watch.is_over());
    }

    #[tokio::test]
    async fn options_are_those_of_the_request() {
        let client = Client::connect("localhost:1").unwrap();
        let create =
            client.create_tournament("Cup", Setup::of("champions", 2), TimeControl::default());
        let request = create
            .swiss()
            .rounds(3)
            .max_entrants(8)
            .matches_at_once(2)
            .request;
        assert_eq!(
            (
                request.rounds,
                request.max_entrants,
                request.matches_at_once
            ),
            (3, 8, 2)
        );
        assert_eq!(request.format(), v1::TournamentFormat::Swiss);
        assert_eq!(request.request_id.len(), 32);
    }
}
