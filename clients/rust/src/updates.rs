//! Streams that are opened again when they are lost.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{Stream, unfold};
use tokio::time::timeout;
use tonic::{Status, Streaming};

use crate::client::Client;
use crate::error::Result;
use crate::timing::{Patience, lost};

/// What is new on the server: a [`Stream`] that is opened again when it is lost, after the last message.
/// An error is the last item. Dropping it ends the stream at once, on the server too.
#[must_use]
pub struct Updates<U>(Pin<Box<dyn Stream<Item = Result<U>> + Send>>);

impl<U> Updates<U> {
    /// Returns the next update; none after the end, or after an error.
    pub async fn next(&mut self) -> Option<Result<U>> {
        poll_fn(|context| self.0.as_mut().poll_next(context)).await
    }
}

impl<U: Send + 'static> Updates<U> {
    pub(crate) fn of(source: impl Source<Update = U>) -> Self {
        let reader = Reader {
            patience: Patience::new(source.client()),
            source,
            stream: None,
            place: 0,
            ready: VecDeque::new(),
            done: false,
        };
        let next = async |mut reader: Reader<_>| Some((reader.next().await?, reader));
        Updates(Box::pin(unfold(reader, next)))
    }
}

impl<U> Stream for Updates<U> {
    type Item = Result<U>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl<U> std::fmt::Debug for Updates<U> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Updates").finish_non_exhaustive()
    }
}

/// Where messages come from, and what is new in them.
pub(crate) trait Source: Send + Sync + 'static {
    type Message: Send + 'static;
    type Update: Send + 'static;

    fn client(&self) -> &Client;

    /// Opens a stream after the last message.
    fn open(&self) -> impl Future<Output = Result<Streaming<Self::Message>, Status>> + Send;

    /// Returns what is new in a message, or why the stream has to be opened again.
    fn take(&mut self, message: Self::Message) -> Result<Vec<Self::Update>>;

    /// Returns whether nothing follows what was taken.
    fn is_over(&self) -> bool {
        false
    }
}

struct Reader<S: Source> {
    source: S,
    patience: Patience,
    stream: Option<Streaming<S::Message>>,
    /// Of the replica that the stream comes from.
    place: usize,
    /// The updates that are to be delivered.
    ready: VecDeque<S::Update>,
    done: bool,
}

impl<S: Source> Reader<S> {
    async fn next(&mut self) -> Option<Result<S::Update>> {
        loop {
            if let Some(update) = self.ready.pop_front() {
                return Some(Ok(update));
            }
            if self.done || self.source.is_over() {
                return None;
            }
            let received = self.receive().await;
            let failure = match received.and_then(|message| self.source.take(message)) {
                Ok(updates) => {
                    self.ready.extend(updates);
                    continue;
                }
                Err(failure) => failure,
            };
            self.stream = None;
            if let Err(failure) = self.patience.wait(failure).await {
                self.done = true;
                return Some(Err(failure));
            }
        }
    }

    async fn receive(&mut self) -> Result<S::Message> {
        if self.stream.is_none() {
            self.place = self.source.client().place();
        }
        let place = self.place;
        let client = self.source.client();
        let silence = client.until_answered(client.timing().silence);
        let received = timeout(silence, self.read()).await;
        let client = self.source.client();
        let silent = |_| {
            client.leave(place);
            lost("the stream fell silent")
        };
        let message = received.map_err(silent)?;
        let message = message.map_err(|status| client.error(status, place))?;
        self.patience.hear();
        message.ok_or_else(|| lost("the stream ended"))
    }

    async fn read(&mut self) -> Result<Option<S::Message>, Status> {
        if self.stream.is_none() {
            self.stream = Some(self.source.open().await?);
        }
        match &mut self.stream {
            Some(stream) => stream.message().await,
            None => Ok(None),
        }
    }
}
