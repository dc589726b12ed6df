//! Playing all matches of an account over one stream.

use std::collections::{BTreeMap, HashMap};
use std::future::IntoFuture;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::bot::{Bot, Mind, Thought, think};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::matches::{Match, Pending};
use crate::play::REPEAT_PAUSE;
use crate::reason::Reason;
use crate::stream::{closed, is_over};
use crate::timing::{Patience, lost};
use crate::v1::play_all_update::Update;
use crate::v1::play_response::Response;
use crate::v1::{self, PlayAllAnswer, PlayAllEntered, PlayAllRequest};

impl Client {
    /// Plays all matches of the account over one stream, those too that it enters later.
    ///
    /// `new_bot` returns the bot of a match that has entered. A lost stream is opened again. A bot
    /// that fails, or whose answer the rules forbid, is asked no more in that match.
    ///
    /// ```no_run
    /// # async fn example(client: taflhall::Client) -> taflhall::Result<()> {
    /// client
    ///     .play_all(|_entered| taflhall::RandomBot::new(1))
    ///     .offer(20, ["yggdrasil"])
    ///     .on_end(|id, outcome| println!("{id}: {}", outcome.is_ok()))
    ///     .await
    /// # }
    /// ```
    pub fn play_all<B, F>(&self, new_bot: F) -> PlayAll<'_, F>
    where
        B: Bot + 'static,
        F: FnMut(&PlayAllEntered) -> B + Send,
    {
        let enter = v1::PlayAllEnter {
            with_view: true,
            language: self.language().to_owned(),
            ..Default::default()
        };
        PlayAll {
            client: self,
            new_bot,
            enter,
            seats: BTreeMap::new(),
            on_end: Box::new(|_, _| {}),
        }
    }
}

type OnEnd<'a> = Box<dyn FnMut(&str, Result<v1::Match>) + Send + 'a>;

/// Matches that are to be played over one stream; await it. With an API key it ends with an error
/// only, or by being dropped; without one when all seats are played.
#[must_use]
pub struct PlayAll<'a, F> {
    client: &'a Client,
    new_bot: F,
    enter: v1::PlayAllEnter,
    /// The secrets of the seats that are still to play, by match.
    seats: BTreeMap<String, String>,
    on_end: OnEnd<'a>,
}

impl<'a, F> PlayAll<'a, F> {
    /// Accepts invitations of a bot account: to at most `max_matches` matches at once
    /// (0: as many as the server lets one stream hold) of these games, or of all if none is named.
    pub fn offer<S: Into<String>>(
        mut self,
        max_matches: i32,
        games: impl IntoIterator<Item = S>,
    ) -> Self {
        let games = games.into_iter().map(Into::into).collect();
        self.enter.offer = Some(v1::PlayAllOffer { max_matches, games });
        self
    }

    /// Plays these seats too, for a client without an API key.
    pub fn at_seats<'m>(mut self, seats: impl IntoIterator<Item = &'m Match>) -> Self {
        let seats = seats.into_iter();
        let secrets = seats.map(|seat| {
            let secret = seat.secret().unwrap_or_default().to_owned();
            (seat.id().to_owned(), secret)
        });
        self.seats.extend(secrets);
        self
    }

    /// Calls a function when a match has left the stream: with the match that is over, or with the
    /// reason why the account no longer plays it.
    pub fn on_end(mut self, call: impl FnMut(&str, Result<v1::Match>) + Send + 'a) -> Self {
        self.on_end = Box::new(call);
        self
    }

    /// Leaves the views out of the prompts, for bots that do not look at them.
    pub fn without_views(mut self) -> Self {
        self.enter.with_view = false;
        self
    }

    /// Requests the events since the last prompt with each prompt.
    pub fn with_events(mut self) -> Self {
        self.enter.with_events = true;
        self
    }

    /// Says what is replied to all proposals of others while the bots play.
    pub fn proposals(mut self, policy: v1::ProposalPolicy) -> Self {
        self.enter.proposals = policy.into();
        self
    }
}

impl<F> std::fmt::Debug for PlayAll<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlayAll")
            .field("enter", &self.enter)
            .finish_non_exhaustive()
    }
}

impl<'a, B, F> IntoFuture for PlayAll<'a, F>
where
    B: Bot + 'static,
    F: FnMut(&PlayAllEntered) -> B + Send + 'a,
{
    type Output = Result<()>;
    type IntoFuture = Pending<'a, ()>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move {
            let mut patience = Patience::new(self.client);
            loop {
                match self.converse(&mut patience).await {
                    Ok(()) => return Ok(()),
                    Err(failure) => patience.wait(failure).await?,
                }
            }
        })
    }
}

impl<B, F> PlayAll<'_, F>
where
    B: Bot + 'static,
    F: FnMut(&PlayAllEntered) -> B + Send,
{
    /// Plays over one stream; returns when all seats are played, or why the stream was lost.
    async fn converse(&mut self, patience: &mut Patience) -> Result<()> {
        let client = self.client;
        let silence = || client.until_answered(client.timing().silence);
        let (requests, outgoing) = unbounded_channel();
        let seats = self.seats.iter().map(|(id, secret)| v1::SeatCredential {
            match_id: id.clone(),
            seat_secret: secret.clone(),
        });
        let enter = PlayAllRequest {
            enter: Some(self.enter.clone()),
            seats: seats.collect(),
            answers: Vec::new(),
        };
        let _ = requests.send(enter); // if the stream has ended, reading says why
        let request = client.authorized(UnboundedReceiverStream::new(outgoing), None)?;
        let place = client.place();
        let failed = |status| client.error(status, place);
        let silent = |_| {
            client.leave(place);
            lost("the stream fell silent")
        };
        let mut stub = client.stub();
        let reply = timeout(silence(), stub.play_all(request)).await;
        let mut stream = reply.map_err(silent)?.map_err(failed)?.into_inner();
        let (considered, thoughts) = unbounded_channel();
        let mut round = Round {
            all: self,
            requests,
            minds: HashMap::new(),
            considered,
            thoughts,
        };
        let mut heard = Instant::now();
        loop {
            let message = tokio::select! {
                Some(thought) = round.thoughts.recv() => {
                    round.answer(thought);
                    continue;
                }
                message = timeout_at(heard + silence(), stream.message()) => message,
            };
            let message = message.map_err(silent)?.map_err(failed)?;
            let message = message.ok_or_else(|| lost("the stream ended"))?;
            heard = Instant::now();
            patience.hear();
            for update in message.updates {
                round.take(update).await?;
            }
            if client.key().is_none() && round.all.seats.is_empty() {
                return Ok(());
            }
        }
    }

    /// Notes that a match is no longer played here.
    fn leave(&mut self, id: &str, outcome: Result<v1::Match>) {
        self.seats.remove(id);
        (self.on_end)(id, outcome);
    }
}

/// One stream of all matches.
struct Round<'r, 'a, F> {
    all: &'r mut PlayAll<'a, F>,
    requests: UnboundedSender<PlayAllRequest>,
    minds: HashMap<String, Mind>,
    considered: UnboundedSender<Thought>,
    thoughts: UnboundedReceiver<Thought>,
}

impl<B, F> Round<'_, '_, F>
where
    B: Bot + 'static,
    F: FnMut(&PlayAllEntered) -> B + Send,
{
    /// Sends what the bots have answered by now.
    fn answer(&mut self, first: Thought) {
        let mut answers = Vec::new();
        let mut next = Some(first);
        while let Some(thought) = next {
            let Thought {
                match_id,
                decision_id,
                option,
            } = thought;
            let mind = self.minds.get_mut(&match_id);
            if let Some(mind) = mind.filter(|mind| mind.is_asked(&decision_id)) {
                match option {
                    Ok(option) => {
                        let answer = mind.answer(&decision_id, option);
                        answers.push(PlayAllAnswer { match_id, answer });
                    }
                    Err(fault) => self.leave(&match_id, Err(Error::of_bot(fault))),
                }
            }
            next = self.thoughts.try_recv().ok();
        }
        self.say(answers);
    }

    fn say(&self, answers: Vec<PlayAllAnswer>) {
        if !answers.is_empty() {
            let request = PlayAllRequest {
                answers,
                ..Default::default()
            };
            let _ = self.requests.send(request); // if the stream has ended, reading says why
        }
    }

    /// Handles what is new about a match; fails if the stream is to be opened again.
    async fn take(&mut self, update: v1::PlayAllUpdate) -> Result<()> {
        let id = update.match_id;
        match update.update {
            Some(Update::Entered(entered)) => self.enter(id, &entered),
            Some(Update::Failure(failure)) => {
                let language = self.all.client.language();
                let failure = Error::of_rejection(&failure.reason, &failure.metadata, language);
                self.leave(&id, Err(failure));
            }
            Some(Update::Play(play)) => match play.response {
                Some(Response::Prompt(prompt)) => {
                    if let Some(mind) = self.minds.get_mut(&id) {
                        mind.consider(prompt);
                    }
                }
                Some(Response::Rejection(rejection)) => self.reject(&id, &rejection).await,
                Some(Response::End(end)) if is_over(&end) => {
                    self.leave(&id, Ok(end.r#match.unwrap_or_default()));
                }
                Some(Response::End(end)) => {
                    let failure = closed(&end);
                    if *failure.reason() != Reason::Replaced {
                        return Err(failure);
                    }
                    self.leave(&id, Err(failure));
                }
                Some(_) | None => {}
            },
            None => {}
        }
        Ok(())
    }

    fn enter(&mut self, id: String, entered: &PlayAllEntered) {
        let mut bot = (self.all.new_bot)(entered);
        let (prompts, to_consider) = unbounded_channel();
        let (name, considered) = (id.clone(), self.considered.clone());
        self.minds.insert(id, Mind::new(prompts));
        // it ends with its mind
        tokio::spawn(async move { think(&mut bot, name, to_consider, considered).await });
    }

    async fn reject(&mut self, id: &str, rejection: &v1::PlayRejection) {
        let language = self.all.client.language();
        let failure = Error::of_rejection(&rejection.reason, &rejection.metadata, language);
        if failure.is_settled() {
            return;
        }
        if !failure.is_uncertain() {
            return self.leave(id, Err(failure));
        }
        let last = self
            .minds
            .get(id)
            .and_then(|mind| mind.last_answer(&rejection.decision_id));
        if last.is_some() {
            sleep(REPEAT_PAUSE).await;
            let match_id = id.to_owned();
            self.say(vec![PlayAllAnswer {
                match_id,
                answer: last,
            }]);
        }
    }

    fn leave(&mut self, id: &str, outcome: Result<v1::Match>) {
        self.minds.remove(id);
        self.all.leave(id, outcome);
    }
}
