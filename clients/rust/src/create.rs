//! Opening a match.

use std::future::IntoFuture;
use std::time::Duration;

use crate::client::{Client, new_request_id};
use crate::error::Result;
use crate::matches::{Match, Pending};
use crate::v1;

impl Client {
    /// Opens a match. The one returned may start it: its secret is the creator's.
    ///
    /// ```no_run
    /// # async fn example(client: taflhall::Client) -> taflhall::Result<()> {
    /// use taflhall::v1::Setup;
    ///
    /// let created = client.create(Setup::of("yggdrasil", 2)).title("Friday").await?;
    /// let ann = created.join("Ann").seats([0, 1]).await?;
    /// created.start().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn create(&self, setup: v1::Setup) -> Create {
        let request = v1::CreateMatchRequest {
            setup: Some(setup),
            request_id: new_request_id(),
            ..Default::default()
        };
        Create {
            client: self.clone(),
            request,
        }
    }
}

/// A match that is to be opened; await it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Create {
    client: Client,
    request: v1::CreateMatchRequest,
}

impl Create {
    /// Names the match for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.request.title = title.into();
        self
    }

    /// Starts the match as soon as its last seat is taken.
    pub fn start_when_full(mut self) -> Self {
        self.request.start_when_full = true;
        self
    }

    /// Limits the time of the seats.
    pub fn time_control(mut self, time_control: v1::TimeControl) -> Self {
        self.request.time_control = Some(time_control);
        self
    }

    /// Lets nobody watch who has no part in the match.
    pub fn without_spectators(mut self) -> Self {
        self.request.spectators = Some(v1::SpectatorSettings {
            policy: v1::SpectatorPolicy::None.into(),
            delay: None,
        });
        self
    }

    /// Shows the match to spectators that much later.
    pub fn delayed_for_spectators(mut self, delay: Duration) -> Self {
        self.request.spectators = Some(v1::SpectatorSettings {
            policy: v1::SpectatorPolicy::Delayed.into(),
            delay: prost_types::Duration::try_from(delay).ok(),
        });
        self
    }

    /// Notes something about the match for programs that look for matches.
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.request.labels.insert(key.into(), value.into());
        self
    }

    /// Hides the match from lists, except those of its players and of who is invited.
    pub fn unlisted(mut self) -> Self {
        self.request.unlisted = true;
        self
    }

    /// Keeps the seats for those who are invited or have the join code.
    pub fn by_invitation(mut self) -> Self {
        self.request.invitation_required = true;
        self
    }
}

impl IntoFuture for Create {
    type Output = Result<Match>;
    type IntoFuture = Pending<'static, Match>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let method = "taflhall.v1.MatchService/CreateMatch";
            let reply: v1::CreateMatchResponse =
                self.client.call(method, &self.request, None).await?;
            let id = reply.r#match.unwrap_or_default().id;
            let mut created = self.client.match_by_id(id);
            created.join_code = reply.join_code;
            Ok(created.with_secret(reply.creator_secret))
        })
    }
}
