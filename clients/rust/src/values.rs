//! Short ways to make the messages that callers write by hand.

use crate::v1::{Command, DecisionAnswer, PlayAnswer, Setup};
use crate::v1::{command, decision_answer::Answer};
use crate::{champions, ice_garden, yggdrasil};

impl Setup {
    /// Returns the setup of a game with its defaults.
    ///
    /// ```
    /// let setup = taflhall::v1::Setup::of("yggdrasil", 2);
    /// ```
    pub fn of(game: impl Into<String>, seats: i32) -> Self {
        Setup {
            game: game.into(),
            seats,
            options: None,
        }
    }
}

/// The index of an option, as an answer.
impl From<usize> for DecisionAnswer {
    fn from(option: usize) -> Self {
        let option = i32::try_from(option).unwrap_or(i32::MAX);
        DecisionAnswer {
            answer: Some(Answer::Option(option)),
        }
    }
}

impl From<Command> for DecisionAnswer {
    fn from(command: Command) -> Self {
        DecisionAnswer {
            answer: Some(Answer::Command(command)),
        }
    }
}

impl PlayAnswer {
    /// Returns the answer to a decision by the index of an option.
    pub(crate) fn of(decision_id: &str, option: usize) -> Self {
        PlayAnswer {
            decision_id: decision_id.to_owned(),
            request_id: String::new(),
            answers: vec![option.into()],
        }
    }
}

macro_rules! command_of {
    ($game:ident, $variant:ident) => {
        /// A command of a game is a command.
        impl From<$game::v1::Command> for Command {
            fn from(command: $game::v1::Command) -> Self {
                Command {
                    game: Some(command::Game::$variant(command)),
                }
            }
        }

        /// The kind of a command of a game is a command.
        impl From<$game::v1::command::Kind> for Command {
            fn from(kind: $game::v1::command::Kind) -> Self {
                $game::v1::Command { kind: Some(kind) }.into()
            }
        }
    };
}

command_of!(champions, Champions);
command_of!(ice_garden, IceGarden);
command_of!(yggdrasil, Yggdrasil);
