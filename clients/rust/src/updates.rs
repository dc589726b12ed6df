//! Streams that are opened again when they are lost.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{Stream, unfold};
use tokio::time::timeout;
use tonic::Streaming;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::timing::{Patience, lost};

/// Messages of the server: a [`Stream`] that is opened again when it is lost, after the last message.
/// An error is the last item. Dropping it ends the stream at once, on the server too.
#[must_use]
pub struct Updates<M>(Pin<Box<dyn Stream<Item = Result<M>> + Send>>);

impl<M> Updates<M> {
    /// Returns the next message; none after the end, or after an error.
    pub async fn next(&mut self) -> Option<Result<M>> {
        poll_fn(|context| self.0.as_mut().poll_next(context)).await
    }
}

impl<M: Send + 'static> Updates<M> {
    pub(crate) fn of(source: impl Source<Message = M>) -> Self {
        let reader = Reader {
            patience: Patience::new(source.client().timing()),
            source,
            stream: None,
            done: false,
        };
        let next = async |mut reader: Reader<_>| Some((reader.next().await?, reader));
        Updates(Box::pin(unfold(reader, next)))
    }
}

impl<M> Stream for Updates<M> {
    type Item = Result<M>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl<M> std::fmt::Debug for Updates<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Updates").finish_non_exhaustive()
    }
}

/// Where messages come from, and which of them are delivered.
pub(crate) trait Source: Send + Sync + 'static {
    type Message: Send + 'static;

    fn client(&self) -> &Client;

    /// Opens a stream after the last message.
    fn open(&self) -> impl Future<Output = Result<Streaming<Self::Message>>> + Send;

    /// Returns the message if it is to be delivered, or why the stream has to be opened again.
    fn take(&mut self, message: Self::Message) -> Result<Option<Self::Message>>;

    /// Returns whether the message delivered last is the last one of all.
    fn is_over(&self) -> bool {
        false
    }
}

struct Reader<S: Source> {
    source: S,
    patience: Patience,
    stream: Option<Streaming<S::Message>>,
    done: bool,
}

impl<S: Source> Reader<S> {
    async fn next(&mut self) -> Option<Result<S::Message>> {
        while !self.done && !self.source.is_over() {
            let received = self.receive().await;
            let failure = match received.and_then(|message| self.source.take(message)) {
                Ok(Some(message)) => return Some(Ok(message)),
                Ok(None) => continue,
                Err(failure) => failure,
            };
            self.stream = None;
            if let Err(failure) = self.patience.wait(failure).await {
                self.done = true;
                return Some(Err(failure));
            }
        }
        None
    }

    async fn receive(&mut self) -> Result<S::Message> {
        let silence = self.source.client().timing().silence;
        let receiving = async {
            if self.stream.is_none() {
                self.stream = Some(self.source.open().await?);
            }
            let stream = self.stream.as_mut().expect("it was opened");
            let language = self.source.client().language();
            let message = stream.message().await;
            message
                .map_err(|status| Error::of_status(status, language))?
                .ok_or_else(|| lost("the stream ended"))
        };
        let message = timeout(silence, receiving).await;
        let message = message.map_err(|_| lost("the stream fell silent"))??;
        self.patience.hear();
        Ok(message)
    }
}
