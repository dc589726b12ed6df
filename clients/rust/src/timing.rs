//! How long the client waits: for answers, between attempts, for a server to come back.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tonic::Code;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::v1::ErrorReason;

/// How long the client waits.
///
/// ```
/// use std::time::Duration;
/// use taflhall::Timing;
///
/// let timing = Timing { call: Duration::from_secs(5), ..Timing::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The time for a call with all its repetitions.
    pub call: Duration,
    /// The time for a call, and the patience of a stream, until a server has answered for the first
    /// time.
    pub connect: Duration,
    /// The time for one attempt of a call.
    pub attempt: Duration,
    /// The time after which a stream without any message counts as lost.
    pub silence: Duration,
    /// The time without a server after which a stream is given up.
    pub patience: Duration,
    /// The shortest pause between attempts.
    pub first_pause: Duration,
    /// The longest pause between attempts, unless the server asks for a longer one.
    pub longest_pause: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Timing {
            call: Duration::from_secs(30),
            connect: Duration::from_secs(5),
            attempt: Duration::from_secs(10),
            silence: Duration::from_secs(60),
            patience: Duration::from_secs(300),
            first_pause: Duration::from_millis(200),
            longest_pause: Duration::from_secs(5),
        }
    }
}

/// The pauses between attempts that fail in a row: exponential, with full jitter.
#[derive(Debug)]
pub(crate) struct Pauses {
    timing: Timing,
    failures: u32,
}

impl Pauses {
    pub fn new(timing: Timing) -> Self {
        Pauses {
            timing,
            failures: 0,
        }
    }

    /// Returns how long to wait after a failure. A call that came too often is repeated a little
    /// after the server allows it, since others wait for the same moment.
    pub fn next(&mut self, failure: &Error) -> Duration {
        let asked = failure.retry_after().unwrap_or_default();
        if *failure.reason() == ErrorReason::RateLimited {
            return asked.mul_f64(1.05 + 0.25 * fastrand::f64()) + Duration::from_millis(5);
        }
        self.failures = (self.failures + 1).min(10);
        let first = self.timing.first_pause;
        let longest = self.timing.longest_pause.min(first * (1 << self.failures));
        let pause = first + longest.saturating_sub(first).mul_f64(fastrand::f64());
        pause.max(asked)
    }
}

/// When to open a lost stream again, and when to give up.
#[derive(Debug)]
pub(crate) struct Patience {
    client: Client,
    pauses: Pauses,
    heard: Instant,
}

impl Patience {
    pub fn new(client: &Client) -> Self {
        Patience {
            client: client.clone(),
            pauses: Pauses::new(client.timing()),
            heard: Instant::now(),
        }
    }

    /// Notes that the server spoke.
    pub fn hear(&mut self) {
        self.client.set_reached();
        self.heard = Instant::now();
        self.pauses.failures = 0;
    }

    /// Pauses before the next attempt, or returns the failure if waiting does not help.
    pub async fn wait(&mut self, failure: Error) -> Result<()> {
        if !failure.is_repeatable() && *failure.reason() != ErrorReason::SlowConsumer {
            return Err(failure);
        }
        let pause = self.pauses.next(&failure);
        let patience = self.client.until_reached(self.pauses.timing.patience);
        if self.heard.elapsed() + pause > patience {
            return Err(self.client.explained(failure));
        }
        sleep(pause).await;
        Ok(())
    }
}

/// Returns the error of a stream that ended though the match is not over.
pub(crate) fn lost(message: impl Into<String>) -> Error {
    Error::local(Code::Unavailable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest() {
        let timing = Timing {
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(10),
            ..Timing::default()
        };
        let mut pauses = Pauses::new(timing);
        for _ in 0..100 {
            let pause = pauses.next(&lost("gone"));
            assert!((timing.first_pause..=timing.longest_pause).contains(&pause));
        }
    }
}
