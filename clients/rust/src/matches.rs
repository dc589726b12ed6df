//! A hosted match, and what its players do.

use std::future::IntoFuture;
use std::pin::Pin;

use prost::Message;

use crate::client::{Client, new_request_id};
use crate::error::Result;
use crate::v1;

/// The future of a request that is awaited.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A hosted match, as the owner of a secret (or a spectator without one) may use it.
#[derive(Clone, Debug)]
pub struct Match {
    pub(crate) client: Client,
    id: String,
    secret: Option<String>,
    seats: Vec<i32>,
    pub(crate) join_code: String,
}

impl Match {
    pub(crate) fn new(client: Client, id: String, seats: Vec<i32>) -> Self {
        Match {
            client,
            id,
            secret: None,
            seats,
            join_code: String::new(),
        }
    }

    /// Returns the match as the owner of a secret may use it.
    pub fn with_secret(mut self, secret: impl Into<String>) -> Self {
        self.secret = Some(secret.into()).filter(|secret| !secret.is_empty());
        self
    }

    /// Returns the name of the match.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns what proves the seats, or the right to start; keep it to come back.
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    /// Returns the seats taken by [`Match::join`]; empty otherwise.
    pub fn seats(&self) -> &[i32] {
        &self.seats
    }

    /// Returns what lets its bearer join the match; empty unless we have created it.
    pub fn join_code(&self) -> &str {
        &self.join_code
    }

    pub(crate) async fn call<M: Message + Default>(
        &self,
        method: &str,
        request: &impl Message,
    ) -> Result<M> {
        let method = format!("taflhall.v1.MatchService/{method}");
        self.client.call(&method, request, self.secret()).await
    }

    pub(crate) fn language(&self) -> String {
        self.client.language().to_owned()
    }

    /// Takes seats under a name: the lowest free one unless others are wanted. The match returned is
    /// as it is seen from there.
    ///
    /// ```no_run
    /// # async fn example(hosted: taflhall::Match) -> taflhall::Result<()> {
    /// let seat = hosted.join("Crab").seats([1]).as_bot().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn join(&self, name: impl Into<String>) -> Join {
        let request = v1::JoinMatchRequest {
            match_id: self.id.clone(),
            name: name.into(),
            request_id: new_request_id(),
            ..Default::default()
        };
        Join {
            hosted: self.clone(),
            request,
        }
    }

    /// Starts the match; every seat must be taken.
    pub async fn start(&self) -> Result<v1::Match> {
        let request = v1::StartMatchRequest {
            match_id: self.id.clone(),
            language: self.language(),
        };
        let reply: v1::StartMatchResponse = self.call("StartMatch", &request).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Returns the match as it is, with the view and the options of a seat: the lowest of ours
    /// without one.
    pub async fn get(&self, seat: Option<i32>) -> Result<v1::GetMatchResponse> {
        let request = v1::GetMatchRequest {
            match_id: self.id.clone(),
            with_view: true,
            with_options: true,
            seat,
            language: self.language(),
            ..Default::default()
        };
        self.call("GetMatch", &request).await
    }

    /// Returns the pending decision of the lowest of our seats that has one, with its options.
    pub async fn decision(&self) -> Result<Option<v1::Decision>> {
        let request = v1::GetMatchRequest {
            match_id: self.id.clone(),
            with_options: true,
            language: self.language(),
            ..Default::default()
        };
        let state: v1::GetMatchResponse = self.call("GetMatch", &request).await?;
        let decisions = state.decisions;
        Ok(decisions.into_iter().find(|d| !d.options.is_empty()))
    }

    /// Answers a decision, and those of the same seat that follow it if there are several answers.
    /// The first refused answer ends the list; those before it stand. The response has the next
    /// decision.
    ///
    /// ```no_run
    /// # async fn example(seat: taflhall::Match) -> taflhall::Result<()> {
    /// if let Some(decision) = seat.decision().await? {
    ///     let done = seat.submit(&decision.id, [0]).await?;
    ///     println!("revision {}", done.revision);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn submit<A: Into<v1::DecisionAnswer>>(
        &self,
        decision_id: impl Into<String>,
        answers: impl IntoIterator<Item = A>,
    ) -> Submit<'_> {
        let request = v1::SubmitAnswersRequest {
            match_id: self.id.clone(),
            decision_id: decision_id.into(),
            request_id: new_request_id(),
            answers: answers.into_iter().map(Into::into).collect(),
            with_options: true,
            language: self.language(),
        };
        Submit {
            hosted: self,
            request,
        }
    }

    /// Returns whether a command would be legal now, and why not; nothing changes.
    pub async fn explain(
        &self,
        command: impl Into<v1::Command>,
        seat: Option<i32>,
    ) -> Result<v1::ExplainCommandResponse> {
        let mut language = self.language();
        if language.is_empty() {
            language.push_str("en");
        }
        let request = v1::ExplainCommandRequest {
            match_id: self.id.clone(),
            command: Some(command.into()),
            seat,
            language,
            ..Default::default()
        };
        self.call("ExplainCommand", &request).await
    }

    /// Returns the record of a match that is over.
    pub async fn record(&self) -> Result<v1::MatchRecord> {
        let request = v1::GetMatchRecordRequest {
            match_id: self.id.clone(),
            language: self.language(),
            ..Default::default()
        };
        let reply: v1::GetMatchRecordResponse = self.call("GetMatchRecord", &request).await?;
        Ok(reply.record.unwrap_or_default())
    }

    /// Returns what the lowest of our seats could know at an earlier revision.
    pub async fn view_at(&self, revision: i32) -> Result<v1::GetMatchViewResponse> {
        let request = v1::GetMatchViewRequest {
            match_id: self.id.clone(),
            revision,
            language: self.language(),
            ..Default::default()
        };
        self.call("GetMatchView", &request).await
    }

    /// Returns what the lowest of our seats may know of the revisions from `first` up to the newest,
    /// in order.
    pub async fn history(&self, first: i32) -> Result<Vec<v1::RevisionEvents>> {
        let mut request = v1::ListMatchEventsRequest {
            match_id: self.id.clone(),
            first_revision: first,
            language: self.language(),
            ..Default::default()
        };
        let mut found = Vec::new();
        loop {
            let reply: v1::ListMatchEventsResponse = self.call("ListMatchEvents", &request).await?;
            found.extend(reply.revisions);
            if reply.next_page_token.is_empty() {
                return Ok(found);
            }
            request.page_token = reply.next_page_token;
        }
    }
}

/// Seats that are to be taken; await it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Join {
    hosted: Match,
    request: v1::JoinMatchRequest,
}

impl Join {
    /// Takes these seats.
    pub fn seats(mut self, seats: impl IntoIterator<Item = i32>) -> Self {
        self.request.seats = seats.into_iter().collect();
        self
    }

    /// Says that a program sits there.
    pub fn as_bot(mut self) -> Self {
        self.request.kind = v1::SeatKind::Bot.into();
        self
    }

    /// Shows the join code of a match that asks for one.
    pub fn code(mut self, join_code: impl Into<String>) -> Self {
        self.request.join_code = join_code.into();
        self
    }
}

impl IntoFuture for Join {
    type Output = Result<Match>;
    type IntoFuture = Pending<'static, Match>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let client = &self.hosted.client;
            let who = client.key().or(self.hosted.secret()); // the account joins
            let method = "taflhall.v1.MatchService/JoinMatch";
            let reply: v1::JoinMatchResponse = client.call(method, &self.request, who).await?;
            let id = reply
                .r#match
                .map_or(self.request.match_id, |found| found.id);
            Ok(Match::new(client.clone(), id, reply.seats).with_secret(reply.seat_secret))
        })
    }
}

/// Answers that are to be submitted; await it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Submit<'a> {
    hosted: &'a Match,
    request: v1::SubmitAnswersRequest,
}

impl Submit<'_> {
    /// Uses a request id of the caller's, which makes it safe to repeat the call in another process.
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request.request_id = id.into();
        self
    }
}

impl<'a> IntoFuture for Submit<'a> {
    type Output = Result<v1::SubmitAnswersResponse>;
    type IntoFuture = Pending<'a, v1::SubmitAnswersResponse>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.hosted.call("SubmitAnswers", &self.request).await })
    }
}
