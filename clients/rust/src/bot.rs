//! Bots, and how they think while their stream is read.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::error::BoxError;
use crate::v1::{PlayAnswer, PlayPrompt};

/// Something that answers decisions. A closure that returns the index of an option is one.
///
/// ```
/// use taflhall::{Bot, BoxError, v1::PlayPrompt};
///
/// /// Takes the last option.
/// struct Cautious;
///
/// impl Bot for Cautious {
///     async fn choose(&mut self, prompt: &PlayPrompt) -> Result<usize, BoxError> {
///         Ok(prompt.decision.as_ref().ok_or("no decision")?.options.len() - 1)
///     }
/// }
/// ```
pub trait Bot: Send {
    /// Returns the index of an option of the decision. The future is dropped when the answer is no
    /// longer wanted. An error ends [`Match::play`](crate::Match::play) with it; to give up, resign
    /// the seat. What takes long belongs into `tokio::task::spawn_blocking`.
    fn choose(
        &mut self,
        prompt: &PlayPrompt,
    ) -> impl Future<Output = Result<usize, BoxError>> + Send;
}

impl<F: FnMut(&PlayPrompt) -> usize + Send> Bot for F {
    async fn choose(&mut self, prompt: &PlayPrompt) -> Result<usize, BoxError> {
        Ok(self(prompt))
    }
}

/// A bot that takes any option.
#[derive(Clone, Debug)]
pub struct RandomBot(fastrand::Rng);

impl RandomBot {
    /// Returns a bot whose choices follow from a seed.
    pub fn new(seed: u64) -> Self {
        RandomBot(fastrand::Rng::with_seed(seed))
    }
}

impl Bot for RandomBot {
    async fn choose(&mut self, prompt: &PlayPrompt) -> Result<usize, BoxError> {
        let options = prompt.decision.as_ref().map_or(0, |d| d.options.len());
        Ok(self.0.usize(..options.max(1)))
    }
}

/// What a bot answered to a prompt.
#[derive(Debug)]
pub(crate) struct Thought {
    pub match_id: String,
    pub decision_id: String,
    pub option: Result<usize, BoxError>,
}

/// Lets a bot think about the newest prompt, until there will be no more.
pub(crate) async fn think(
    bot: &mut impl Bot,
    match_id: String,
    mut prompts: UnboundedReceiver<PlayPrompt>,
    thoughts: UnboundedSender<Thought>,
) {
    let mut newest = prompts.recv().await;
    while let Some(prompt) = newest {
        newest = tokio::select! {
            biased;
            newer = prompts.recv() => newer,
            option = bot.choose(&prompt) => {
                let decision_id = prompt.decision.unwrap_or_default().id;
                let match_id = match_id.clone();
                let thought = Thought { match_id, decision_id, option };
                if thoughts.send(thought).is_err() {
                    return;
                }
                prompts.recv().await
            }
        };
    }
}

/// What is known of a bot that thinks: which decision it was asked, what it answered last.
#[derive(Debug)]
pub(crate) struct Mind {
    prompts: UnboundedSender<PlayPrompt>,
    asked: Option<String>,
    last: Option<PlayAnswer>,
}

impl Mind {
    pub fn new(prompts: UnboundedSender<PlayPrompt>) -> Self {
        Mind {
            prompts,
            asked: None,
            last: None,
        }
    }

    /// Asks the bot, unless it thinks about that decision already.
    pub fn consider(&mut self, prompt: PlayPrompt) {
        let id = prompt.decision.as_ref().map(|decision| decision.id.clone());
        if self.asked != id {
            self.asked = id;
            let _ = self.prompts.send(prompt); // whoever thinks outlives this
        }
    }

    /// Returns the answer to send for what the bot chose, if it is still wanted.
    pub fn answer(&mut self, decision_id: &str, option: usize) -> Option<PlayAnswer> {
        self.is_asked(decision_id).then(|| {
            self.asked = None;
            let answer = PlayAnswer::of(decision_id, option);
            self.last = Some(answer.clone());
            answer
        })
    }

    pub fn is_asked(&self, decision_id: &str) -> bool {
        self.asked.as_deref() == Some(decision_id)
    }

    /// Returns the last answer if it was to that decision.
    pub fn last_answer(&self, decision_id: &str) -> Option<PlayAnswer> {
        self.last
            .clone()
            .filter(|last| last.decision_id == decision_id)
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::v1::Decision;

    fn prompt(id: &str) -> PlayPrompt {
        let decision = Decision {
            id: id.into(),
            ..Default::default()
        };
        PlayPrompt {
            decision: Some(decision),
            ..Default::default()
        }
    }

    #[tokio::test]
    async fn a_bot_is_asked_once_for_a_decision_and_only_the_newest_answer_is_wanted() {
        let (sender, prompts) = unbounded_channel();
        let (thoughts, mut answers) = unbounded_channel();
        let mut mind = Mind::new(sender);
        for id in ["d1", "d1", "d2"] {
            mind.consider(prompt(id));
        }
        let mut asked = Vec::new();
        let mut bot = |prompt: &PlayPrompt| {
            asked.push(
                prompt
                    .decision
                    .as_ref()
                    .map(|d| d.id.clone())
                    .unwrap_or_default(),
            );
            7
        };
        let thinking = think(&mut bot, "m".into(), prompts, thoughts);
        let reading = async {
            let thought = answers.recv().await.expect("the bot answers");
            assert!(mind.answer("d1", 0).is_none());
            let answer = mind.answer(&thought.decision_id, thought.option.unwrap());
            assert_eq!(answer, Some(PlayAnswer::of("d2", 7)));
            assert_eq!(mind.last_answer("d2"), answer);
            drop(mind);
        };
        tokio::join!(thinking, reading);
        assert_eq!(asked, ["d2"]);
    }

    #[tokio::test]
    async fn a_bot_that_never_answers_ends_with_its_mind() {
        struct Slow;
        impl Bot for Slow {
            async fn choose(&mut self, _: &PlayPrompt) -> Result<usize, BoxError> {
                std::future::pending().await
            }
        }
        let (sender, prompts) = unbounded_channel();
        let (thoughts, mut answers) = unbounded_channel();
        let mut mind = Mind::new(sender);
        mind.consider(prompt("d1"));
        let mut bot = Slow;
        let thinking = think(&mut bot, "m".into(), prompts, thoughts);
        tokio::join!(thinking, async move {
            tokio::task::yield_now().await;
            drop(mind);
        });
        assert!(answers.recv().await.is_none());
    }
}
