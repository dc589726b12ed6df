//! Watching a match.

use tonic::{Status, Streaming};

use crate::client::Client;
use crate::error::Result;
use crate::matches::Match;
use crate::stream::{closed, is_over};
use crate::timing::lost;
use crate::updates::{Source, Updates};
use crate::v1::watch_match_response::Update;
use crate::v1::{WatchMatchRequest, WatchMatchResponse};

impl Match {
    /// Returns what happens until the match is over: a snapshot, then one change after another, and
    /// in the end a message with an `End`.
    ///
    /// A lost stream is opened again after the last message. A change comes once: one that is
    /// repeated is dropped, and where one is missing the stream is opened again. After a snapshot in
    /// between, whose cause says why, what was known before is void. An error is the last item.
    ///
    /// ```no_run
    /// # async fn example(hosted: taflhall::Match) -> taflhall::Result<()> {
    /// use taflhall::v1::watch_match_response::Update;
    ///
    /// let mut watch = hosted.watch().open();
    /// while let Some(message) = watch.next().await {
    ///     let message = message?;
    ///     if let Some(Update::Change(change)) = message.update {
    ///         println!("{} {:?}", message.revision, change.events);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self) -> WatchOptions {
        let request = WatchMatchRequest {
            match_id: self.id().to_owned(),
            language: self.client.language().to_owned(),
            ..Default::default()
        };
        WatchOptions {
            hosted: self.clone(),
            request,
        }
    }
}

/// How a match is to be watched; [`open`](WatchOptions::open) begins.
#[derive(Clone, Debug)]
#[must_use]
pub struct WatchOptions {
    hosted: Match,
    request: WatchMatchRequest,
}

impl WatchOptions {
    /// Begins right after the message that had this resume token, not with a snapshot.
    pub fn after(mut self, resume_token: impl Into<String>) -> Self {
        self.request.resume_token = resume_token.into();
        self
    }

    /// Requests the view with every change.
    pub fn with_views(mut self) -> Self {
        self.request.with_view = true;
        self
    }

    /// Requests the options of our decisions.
    pub fn with_options(mut self) -> Self {
        self.request.with_options = true;
        self
    }

    /// Requests which players are there, at the beginning and after each change.
    pub fn with_presence(mut self) -> Self {
        self.request.with_presence = true;
        self
    }

    /// Requests the reactions of players.
    pub fn with_reactions(mut self) -> Self {
        self.request.with_reactions = true;
        self
    }

    /// Watches from a seat, for a caller who holds several.
    pub fn from_seat(mut self, seat: i32) -> Self {
        self.request.seat = Some(seat);
        self
    }

    /// Begins to watch, as soon as the first message is awaited.
    pub fn open(self) -> Updates<WatchMatchResponse> {
        Updates::of(Watch {
            hosted: self.hosted,
            request: self.request,
            revision: None,
            over: false,
        })
    }
}

struct Watch {
    hosted: Match,
    request: WatchMatchRequest,
    /// That of the last message that was delivered.
    revision: Option<i32>,
    over: bool,
}

impl Source for Watch {
    type Message = WatchMatchResponse;
    type Update = WatchMatchResponse;

    fn client(&self) -> &Client {
        &self.hosted.client
    }

    async fn open(&self) -> Result<Streaming<WatchMatchResponse>, Status> {
        let client = self.client();
        let request = client.request(self.request.clone(), self.hosted.secret())?;
        Ok(client.stub().watch_match(request).await?.into_inner())
    }

    fn take(&mut self, message: WatchMatchResponse) -> Result<Vec<WatchMatchResponse>> {
        if let (Some(Update::Change(_)), Some(last)) = (&message.update, self.revision) {
            if message.revision <= last {
                return Ok(vec![]);
            }
            if message.revision > last + 1 {
                return Err(lost(format!("the stream skipped revision {}", last + 1)));
            }
        }
        if !message.resume_token.is_empty() {
            self.request.resume_token.clone_from(&message.resume_token);
        }
        match &message.update {
            Some(Update::Change(_) | Update::Snapshot(_)) => self.revision = Some(message.revision),
            Some(Update::End(end)) if is_over(end) => self.over = true,
            Some(Update::End(end)) => return Err(closed(end)),
            Some(Update::Presence(_) | Update::Reaction(_)) => {}
            Some(Update::Heartbeat(_)) | None => return Ok(vec![]),
        }
        Ok(vec![message])
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
