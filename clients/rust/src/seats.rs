//! What holders and creators do with seats, beside answering.

use crate::client::new_request_id;
use crate::error::Result;
use crate::matches::Match;
use crate::v1::{self, ErrorReason};

impl Match {
    /// Gives the match up for a seat: the lowest of ours without one.
    pub async fn resign(&self, seat: Option<i32>) -> Result<v1::Match> {
        let request = v1::ResignSeatRequest {
            match_id: self.id().to_owned(),
            seat,
            request_id: new_request_id(),
            language: self.language(),
        };
        let reply: v1::ResignSeatResponse = self.call("ResignSeat", &request).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Frees all our seats before the match starts.
    pub async fn leave(&self) -> Result<v1::Match> {
        let request = v1::LeaveMatchRequest {
            match_id: self.id().to_owned(),
            seat: None,
            request_id: new_request_id(),
            language: self.language(),
        };
        let reply: v1::LeaveMatchResponse = self.call("LeaveMatch", &request).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Lets a deputy act for a seat until we reclaim it, and returns the match as the deputy sees it.
    pub async fn delegate(
        &self,
        seat: i32,
        name: impl Into<String>,
        kind: v1::SeatKind,
    ) -> Result<Match> {
        let request = v1::DelegateSeatRequest {
            match_id: self.id().to_owned(),
            seat: Some(seat),
            name: name.into(),
            kind: kind.into(),
            permanent: false,
            request_id: new_request_id(),
            language: self.language(),
        };
        let reply: v1::DelegateSeatResponse = self.call("DelegateSeat", &request).await?;
        let deputy = Match::new(self.client.clone(), self.id().to_owned(), vec![seat]);
        Ok(deputy.with_secret(reply.deputy_secret))
    }

    /// Dismisses the deputy or the stand-in of a seat.
    pub async fn reclaim(&self, seat: i32) -> Result<v1::Match> {
        let request = v1::ReclaimSeatRequest {
            match_id: self.id().to_owned(),
            seat: Some(seat),
            language: self.language(),
        };
        let reply: v1::ReclaimSeatResponse = self.call("ReclaimSeat", &request).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Proposes to take the latest answer of the lowest of our seats back. If no other consent is
    /// needed, it happens at once, and the match returned has no proposal.
    pub async fn undo(&self) -> Result<v1::Match> {
        use v1::propose_to_players_request::What;
        self.propose(What::Undo(v1::UndoProposal::default())).await
    }

    /// Ends the match without a winner, or proposes it to the others who play. Before the start only
    /// its creator may do so.
    pub async fn abandon(&self) -> Result<v1::Match> {
        use v1::propose_to_players_request::What;
        let request = v1::AbandonMatchRequest {
            match_id: self.id().to_owned(),
            request_id: new_request_id(),
            language: self.language(),
        };
        match self
            .call::<v1::AbandonMatchResponse>("AbandonMatch", &request)
            .await
        {
            Err(error) if *error.reason() == ErrorReason::ConsentRequired => {
                self.propose(What::Abandon(v1::AbandonProposal::default()))
                    .await
            }
            outcome => Ok(outcome?.r#match.unwrap_or_default()),
        }
    }

    async fn propose(&self, what: v1::propose_to_players_request::What) -> Result<v1::Match> {
        let request = v1::ProposeToPlayersRequest {
            match_id: self.id().to_owned(),
            seat: None,
            request_id: new_request_id(),
            language: self.language(),
            what: Some(what),
        };
        let reply: v1::ProposeToPlayersResponse = self.call("ProposeToPlayers", &request).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Agrees to a proposal for all our seats, or refuses it.
    pub async fn respond(&self, proposal_id: impl Into<String>, agree: bool) -> Result<v1::Match> {
        let request = v1::RespondToProposalRequest {
            match_id: self.id().to_owned(),
            seat: None,
            proposal_id: proposal_id.into(),
            agree,
            request_id: new_request_id(),
            language: self.language(),
        };
        let reply: v1::RespondToProposalResponse = self.call("RespondToProposal", &request).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Reserves a free seat for an account: the lowest without one. It is for the creator.
    pub async fn invite(
        &self,
        account_id: impl Into<String>,
        seat: Option<i32>,
    ) -> Result<v1::Match> {
        let request = v1::InviteToMatchRequest {
            match_id: self.id().to_owned(),
            account_id: account_id.into(),
            seat,
            request_id: new_request_id(),
            language: self.language(),
        };
        let method = "taflhall.v1.LobbyService/InviteToMatch";
        let reply: v1::InviteToMatchResponse =
            self.client.call(method, &request, self.secret()).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Gives back the seats that are reserved for our account; [`Match::join`] accepts.
    pub async fn decline(&self) -> Result<()> {
        let request = v1::DeclineInvitationRequest {
            match_id: self.id().to_owned(),
            request_id: new_request_id(),
        };
        let method = "taflhall.v1.LobbyService/DeclineInvitation";
        let _: v1::DeclineInvitationResponse = self.client.call(method, &request, None).await?;
        Ok(())
    }

    /// Lets a bot of the server take a free seat: the lowest without one. [`Client::games`] lists the
    /// bots. It is for the creator.
    ///
    /// [`Client::games`]: crate::Client::games
    pub async fn add_bot(&self, bot_id: impl Into<String>, seat: Option<i32>) -> Result<v1::Match> {
        let request = v1::AddBotRequest {
            match_id: self.id().to_owned(),
            bot_id: bot_id.into(),
            seat,
            name: String::new(),
            request_id: new_request_id(),
            language: self.language(),
        };
        let method = "taflhall.v1.LobbyService/AddBot";
        let reply: v1::AddBotResponse = self.client.call(method, &request, self.secret()).await?;
        Ok(reply.r#match.unwrap_or_default())
    }

    /// Sits down at the rematch of this match, which is over, and returns it as it is seen from there.
    /// It starts when all players have come.
    ///
    /// ```no_run
    /// # async fn example(seat: taflhall::Match) -> taflhall::Result<()> {
    /// seat.play(&mut taflhall::RandomBot::new(1)).await?;
    /// let again = seat.rematch().await?;
    /// again.play(&mut taflhall::RandomBot::new(2)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn rematch(&self) -> Result<Match> {
        let request = v1::JoinRematchRequest {
            match_id: self.id().to_owned(),
            request_id: new_request_id(),
            language: self.language(),
        };
        let method = "taflhall.v1.LobbyService/JoinRematch";
        let reply: v1::JoinRematchResponse =
            self.client.call(method, &request, self.secret()).await?;
        let id = reply.r#match.unwrap_or_default().id;
        let again = Match::new(self.client.clone(), id, reply.seats);
        Ok(again.with_secret(reply.seat_secret))
    }

    /// Shows a reaction of a seat, the lowest of ours without one, to those who follow the match now.
    pub async fn react(&self, reaction: v1::Reaction, seat: Option<i32>) -> Result<()> {
        let request = v1::SendReactionRequest {
            match_id: self.id().to_owned(),
            seat,
            reaction: reaction.into(),
        };
        let _: v1::SendReactionResponse = self.call("SendReaction", &request).await?;
        Ok(())
    }

    /// Frees a seat before the start, whoever holds it or is invited to it. It is for the creator.
    pub async fn remove(&self, seat: i32) -> Result<v1::Match> {
        let request = v1::RemovePlayerRequest {
            match_id: self.id().to_owned(),
            seat,
            request_id: new_request_id(),
            language: self.language(),
        };
        let method = "taflhall.v1.LobbyService/RemovePlayer";
        let reply: v1::RemovePlayerResponse =
            self.client.call(method, &request, self.secret()).await?;
        Ok(reply.r#match.unwrap_or_default())
    }
}
