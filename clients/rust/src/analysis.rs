//! The analysis of finished matches by a server.

use std::collections::VecDeque;

use crate::client::Client;
use crate::error::Result;
use crate::v1::{AnalyseRecordRequest, AnalyseRecordResponse, JudgedDecision};

impl Client {
    /// Returns what the decisions of a finished match were worth, in order, each as the server judges
    /// it.
    ///
    /// The request holds the record ([`Match::record`](crate::Match::record)); its other fields may
    /// stay empty.
    pub fn analyse(&self, mut request: AnalyseRecordRequest) -> Analysis {
        if request.language.is_empty() {
            request.language = self.language().into();
        }
        if request.page_size == 0 {
            request.page_size = 1; // it takes about a second for each
        }
        Analysis {
            client: self.clone(),
            request,
            judged: VecDeque::new(),
            is_over: false,
        }
    }
}

/// The judgements of a server on a finished match. It makes a call when the next one is wanted.
#[derive(Debug)]
#[must_use]
pub struct Analysis {
    client: Client,
    request: AnalyseRecordRequest,
    judged: VecDeque<JudgedDecision>,
    is_over: bool,
}

impl Analysis {
    /// Returns the judgement of the next decision; none after the last one, or after an error.
    pub async fn next(&mut self) -> Option<Result<JudgedDecision>> {
        while self.judged.is_empty() && !self.is_over {
            if let Err(error) = self.fetch().await {
                self.is_over = true;
                return Some(Err(error));
            }
        }
        self.judged.pop_front().map(Ok)
    }

    async fn fetch(&mut self) -> Result<()> {
        let method = "taflhall.v1.EngineService/AnalyseRecord";
        let page: AnalyseRecordResponse = self.client.call(method, &self.request, None).await?;
        self.judged = page.decisions.into();
        self.request.first_revision = page.next_revision;
        self.is_over = page.next_revision == 0;
        Ok(())
    }
}
