//! Playing one match.

use std::future::IntoFuture;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::bot::{Bot, Mind, Thought, think};
use crate::error::{Error, Result};
use crate::matches::{Match, Pending};
use crate::stream::{closed, is_over};
use crate::timing::{Patience, lost};
use crate::v1::play_response::Response;
use crate::v1::{self, PlayEnter, PlayRequest, play_request::Request};

/// The pause before an answer of unknown outcome is sent again on its stream.
pub(crate) const REPEAT_PAUSE: Duration = Duration::from_millis(200);

impl Match {
    /// Lets a bot answer every decision of our seats until the match is over, and returns the match.
    ///
    /// A lost stream is opened again. The stream is read while the bot thinks, so a bot that never
    /// answers ends with its match.
    ///
    /// ```no_run
    /// # async fn example(seat: taflhall::Match) -> taflhall::Result<()> {
    /// let end = seat.play(&mut taflhall::RandomBot::new(1)).await?;
    /// println!("{:?}", end.result);
    /// # Ok(())
    /// # }
    /// ```
    pub fn play<'a, B: Bot>(&'a self, bot: &'a mut B) -> Play<'a, B> {
        let enter = PlayEnter {
            match_id: self.id().to_owned(),
            with_view: true,
            language: self.client.language().to_owned(),
            ..Default::default()
        };
        Play {
            hosted: self,
            bot,
            enter,
        }
    }
}

/// A match that is to be played; await it.
#[derive(Debug)]
#[must_use]
pub struct Play<'a, B> {
    hosted: &'a Match,
    bot: &'a mut B,
    enter: PlayEnter,
}

impl<B> Play<'_, B> {
    /// Leaves the views out of the prompts, for a bot that does not look at them.
    pub fn without_views(mut self) -> Self {
        self.enter.with_view = false;
        self
    }

    /// Requests the events since the last prompt with each prompt; none is lost with a stream.
    pub fn with_events(mut self) -> Self {
        self.enter.with_events = true;
        self
    }

    /// Says what is replied to all proposals of others while the bot plays.
    pub fn proposals(mut self, policy: v1::ProposalPolicy) -> Self {
        self.enter.proposals = policy.into();
        self
    }
}

impl<'a, B: Bot> IntoFuture for Play<'a, B> {
    type Output = Result<v1::Match>;
    type IntoFuture = Pending<'a, v1::Match>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (prompts, to_consider) = unbounded_channel();
            let (considered, thoughts) = unbounded_channel();
            let id = self.hosted.id().to_owned();
            let mut thinking = pin!(think(self.bot, id, to_consider, considered));
            let mut player = Player {
                hosted: self.hosted,
                enter: self.enter,
                patience: Patience::new(&self.hosted.client),
                mind: Mind::new(prompts),
                thoughts,
            };
            loop {
                let outcome = tokio::select! {
                    () = &mut thinking => unreachable!("it thinks as long as there is a mind"),
                    outcome = player.converse() => outcome,
                };
                match outcome {
                    Ok(end) => return Ok(end),
                    Err(failure) => player.patience.wait(failure).await?,
                }
            }
        })
    }
}

struct Player<'a> {
    hosted: &'a Match,
    enter: PlayEnter,
    patience: Patience,
    mind: Mind,
    thoughts: UnboundedReceiver<Thought>,
}

impl Player<'_> {
    /// Plays over one stream; returns the match that is over, or why the stream was lost.
    async fn converse(&mut self) -> Result<v1::Match> {
        let client = &self.hosted.client;
        let silence = || client.until_answered(client.timing().silence);
        let (requests, outgoing) = unbounded_channel();
        let say = |request| {
            let request = Some(request);
            let _ = requests.send(PlayRequest { request }); // if the stream has ended, reading says why
        };
        say(Request::Enter(self.enter.clone()));
        let outgoing = UnboundedReceiverStream::new(outgoing);
        let request = client.authorized(outgoing, self.hosted.secret())?;
        let place = client.place();
        let failed = |status| client.error(status, place);
        let silent = |_| {
            client.leave(place);
            lost("the stream fell silent")
        };
        let mut stub = client.stub();
        let reply = timeout(silence(), stub.play(request)).await;
        let mut stream = reply.map_err(silent)?.map_err(failed)?.into_inner();
        let mut heard = Instant::now();
        let mut token = None; // of the newest prompt of this stream
        loop {
            let message = tokio::select! {
                // what was thought about while the stream was cut waits for its prompt
                Some(thought) = self.thoughts.recv(), if token.is_some() => {
                    if !self.mind.is_asked(&thought.decision_id) {
                        continue;
                    }
                    let option = thought.option.map_err(Error::of_bot)?;
                    if let Some(answer) = self.mind.answer(&thought.decision_id, option) {
                        say(Request::Answer(answer));
                        let answered = token.clone().filter(|token: &String| !token.is_empty());
                        self.enter.resume_token = answered.unwrap_or_default();
                    }
                    continue;
                }
                message = timeout_at(heard + silence(), stream.message()) => message,
            };
            let message = message.map_err(silent)?.map_err(failed)?;
            let message = message.ok_or_else(|| lost("the stream ended"))?;
            heard = Instant::now();
            self.patience.hear();
            match message.response {
                Some(Response::Prompt(prompt)) => {
                    token = Some(prompt.resume_token.clone());
                    self.mind.consider(prompt);
                }
                Some(Response::Rejection(rejection)) => {
                    let language = client.language();
                    let failure =
                        Error::of_rejection(&rejection.reason, &rejection.metadata, language);
                    if failure.is_settled() {
                        continue;
                    }
                    if !failure.is_uncertain() {
                        return Err(failure);
                    }
                    if let Some(answer) = self.mind.last_answer(&rejection.decision_id) {
                        sleep(REPEAT_PAUSE).await;
                        say(Request::Answer(answer));
                    }
                }
                Some(Response::End(end)) if is_over(&end) => {
                    return Ok(end.r#match.unwrap_or_default());
                }
                Some(Response::End(end)) => return Err(closed(&end)),
                Some(_) | None => {}
            }
        }
    }
}
