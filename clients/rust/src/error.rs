//! Errors, typed by their reason.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use tonic::{Code, Status, TimeoutExpired};

use crate::google::rpc::{BadRequest, ErrorInfo, LocalizedMessage, RetryInfo};
use crate::reason::Reason;
use crate::v1::{ErrorReason, error_reason_options::Retry};

const DOMAIN: &str = "taflhall";

/// The name of the addresses in the metadata of an error that no server sent.
const ADDRESSES: &str = "addresses";

/// The error of a bot.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A result with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call or a stream failed.
///
/// ```
/// use taflhall::{Error, v1::ErrorReason};
///
/// fn is_late(error: &Error) -> bool {
///     *error.reason() == ErrorReason::AlreadyStarted
/// }
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    reason: Reason,
    code: Code,
    message: String,
    metadata: HashMap<String, String>,
    retry_after: Option<Duration>,
    violations: Vec<Violation>,
    timed_out: bool,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// One fault of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field in the request.
    pub field: String,
    /// A stable name of the fault, such as `"OUT_OF_RANGE"`.
    pub code: String,
    /// What was expected and what was found, in the language of [`Error::message`].
    pub text: String,
}

/// No server has ever answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable<'a> {
    /// The addresses that were tried.
    pub addresses: Vec<&'a str>,
}

/// The rules forbid a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalCommand<'a> {
    /// The number of the rule, such as `"YG-7.2"`; empty if no rule forbids it.
    pub rule: &'a str,
    /// The stable name of why.
    pub refusal: &'a str,
    /// The place of the refused answer in its list.
    pub index: usize,
}

impl Error {
    /// Returns why.
    pub fn reason(&self) -> &Reason {
        &self.0.reason
    }

    /// Returns the status code of gRPC.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Returns the text for people, in the language of the client, or else in English.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the values that the contract defines for the reason.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// Returns the pause that the server asks for, if it asks for one.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns all faults of a setup or a time control.
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// Returns what the rules forbid, if that is the reason.
    pub fn illegal_command(&self) -> Option<IllegalCommand<'_>> {
        (self.0.reason == ErrorReason::IllegalCommand).then(|| IllegalCommand {
            rule: self.value("rule"),
            refusal: self.value("refusal"),
            index: self.value("index").parse().unwrap_or(0),
        })
    }

    /// Returns where no server was reached, if none has ever answered this client.
    pub fn unreachable(&self) -> Option<Unreachable<'_>> {
        let addresses = self.0.metadata.get(ADDRESSES)?.split(", ").collect();
        (self.0.reason == Reason::Status(Code::Unavailable)).then_some(Unreachable { addresses })
    }

    /// Returns the decision that is pending for the seat, if the one answered no longer is.
    pub fn pending_decision(&self) -> Option<&str> {
        let id = self.value("decision_id");
        (self.0.reason == ErrorReason::StaleDecision && !id.is_empty()).then_some(id)
    }

    /// Returns whether the call may have been carried out.
    pub fn is_uncertain(&self) -> bool {
        if let Some(options) = self.0.reason.options() {
            return options.retry() == Retry::SameRequest;
        }
        use Code::{Cancelled, DeadlineExceeded, Internal, Unavailable, Unknown};
        let server = !matches!(self.0.reason, Reason::Replaced | Reason::Bot);
        let codes = [Unavailable, DeadlineExceeded, Cancelled, Internal, Unknown];
        server && codes.contains(&self.0.code)
    }

    /// Returns whether the time of the call was up before its outcome was definite.
    pub fn is_timeout(&self) -> bool {
        self.0.timed_out
    }

    /// Returns whether the client repeats the call.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.is_uncertain() || self.0.reason == ErrorReason::RateLimited
    }

    /// Returns whether an answer was rejected because its decision had been answered.
    pub(crate) fn is_settled(&self) -> bool {
        use ErrorReason::{MatchOver, RequestIdReused, StaleDecision};
        let settled = [StaleDecision, MatchOver, RequestIdReused];
        settled.iter().any(|reason| self.0.reason == *reason)
    }

    pub(crate) fn into_timeout(mut self) -> Self {
        self.0.timed_out = true;
        self
    }

    /// Returns whether the error is no answer of a server.
    pub(crate) fn is_unheard(&self) -> bool {
        use Code::{Cancelled, DeadlineExceeded, Unavailable};
        let codes = [Unavailable, DeadlineExceeded, Cancelled];
        codes
            .iter()
            .any(|code| self.0.reason == Reason::Status(*code))
    }

    /// Returns the error with what to check, since none of these addresses has ever answered.
    pub(crate) fn into_unreachable(mut self, addresses: &[String]) -> Self {
        let addresses = addresses.join(", ");
        self.0.reason = Reason::Status(Code::Unavailable);
        self.0.code = Code::Unavailable;
        self.0.message = format!(
            "no server answers at {addresses}: does it run, are host and port right, \
             and TLS on both sides or on neither? ({})",
            self.0.message
        );
        self.0.metadata.insert(ADDRESSES.into(), addresses);
        self
    }

    /// Returns an error of the client itself.
    pub(crate) fn local(code: Code, message: impl Into<String>) -> Self {
        Error::new(Reason::Status(code), code, message.into())
    }

    /// Returns an error of the client itself that has a reason.
    pub(crate) fn of_reason(reason: Reason, code: Code, message: String) -> Self {
        Error::new(reason, code, message)
    }

    pub(crate) fn replaced() -> Self {
        let message = "another caller acts for the seat now".to_owned();
        Error::new(Reason::Replaced, Code::Aborted, message)
    }

    pub(crate) fn of_bot(source: BoxError) -> Self {
        let mut error = Error::new(Reason::Bot, Code::Unknown, source.to_string());
        error.0.source = Some(source.into());
        error
    }

    /// Returns the error of a failed call.
    pub(crate) fn of_status(status: Status, language: &str) -> Self {
        let code = code_of(&status);
        let mut error = Error::new(Reason::Status(code), code, status.message().to_owned());
        error.add_details(&status, language);
        let pushback = status.metadata().get("grpc-retry-pushback-ms");
        if let Some(ms) = pushback.and_then(|value| value.to_str().ok()?.parse().ok()) {
            error.0.retry_after = error.0.retry_after.max(Some(Duration::from_millis(ms)));
        }
        error
    }

    fn add_details(&mut self, status: &Status, language: &str) {
        let Ok(details) = crate::google::rpc::Status::decode(status.details()) else {
            return;
        };
        let mut texts = HashMap::new();
        for any in &details.details {
            match any.type_url.rsplit('/').next().unwrap_or_default() {
                "google.rpc.ErrorInfo" => {
                    let info: ErrorInfo = decoded(any);
                    if info.domain == DOMAIN {
                        self.0.reason = Reason::from_name(&info.reason);
                        self.0.metadata = info.metadata;
                    }
                }
                "google.rpc.LocalizedMessage" => {
                    let text: LocalizedMessage = decoded(any);
                    texts.insert(text.locale, text.message);
                }
                "google.rpc.RetryInfo" => {
                    let retry: RetryInfo = decoded(any);
                    self.0.retry_after = retry.retry_delay.and_then(|delay| delay.try_into().ok());
                }
                "google.rpc.BadRequest" => {
                    let request: BadRequest = decoded(any);
                    let violations = request.field_violations.into_iter();
                    self.0.violations.extend(violations.map(|v| {
                        let mut texts = HashMap::from([("en".to_owned(), v.description)]);
                        texts.extend(
                            v.localized_message
                                .map(|local| (local.locale, local.message)),
                        );
                        Violation {
                            field: v.field,
                            code: v.reason,
                            text: in_language(&texts, language).cloned().unwrap_or_default(),
                        }
                    }));
                }
                _ => {}
            }
        }
        if let Some(text) = in_language(&texts, language) {
            self.0.message = text.clone();
        }
    }

    /// Returns the error of an answer, or a match, that was rejected on a stream.
    pub(crate) fn of_rejection(
        reason: &str,
        metadata: &HashMap<String, String>,
        language: &str,
    ) -> Self {
        let reason_found = Reason::from_name(reason);
        let mut error = Error::new(reason_found, Code::FailedPrecondition, reason.to_owned());
        if let Some(options) = error.0.reason.options() {
            let texts = options.texts.iter();
            let texts = texts.map(|t| (t.language.clone(), filled(&t.text, metadata)));
            error.0.code = options.code.into();
            if let Some(text) = in_language(&texts.collect(), language) {
                error.0.message = text.clone();
            }
        }
        error.0.metadata = metadata.clone();
        error
    }

    fn new(reason: Reason, code: Code, message: String) -> Self {
        Error(Box::new(Inner {
            reason,
            code,
            message,
            metadata: HashMap::new(),
            retry_after: None,
            violations: Vec::new(),
            timed_out: false,
            source: None,
        }))
    }

    fn value(&self, key: &str) -> &str {
        self.0.metadata.get(key).map_or("", String::as_str)
    }
}

/// The status of a stub's call, with the text in English.
impl From<Status> for Error {
    fn from(status: Status) -> Self {
        Error::of_status(status, "")
    }
}

/// As [`fmt::Display`]: a `main` that returns an error shows it so.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.message, self.0.reason)?;
        for violation in &self.0.violations {
            write!(f, "; {}: {}", violation.field, violation.text)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.0.source.as_ref()?;
        Some(source.as_ref())
    }
}

/// Returns the code of a status. One that comes from this side says that no server was reached, or
/// that the connection is lost, unless the time was up.
fn code_of(status: &Status) -> Code {
    let first = std::error::Error::source(status);
    let mut sources = std::iter::successors(first, |source| source.source());
    if first.is_none() {
        status.code()
    } else if sources.any(|source| source.is::<TimeoutExpired>()) {
        Code::DeadlineExceeded
    } else {
        Code::Unavailable
    }
}

fn decoded<M: Message + Default>(any: &prost_types::Any) -> M {
    M::decode(any.value.as_slice()).unwrap_or_default()
}

/// Returns the text in a language, or else in English.
fn in_language<'a>(texts: &'a HashMap<String, String>, tag: &str) -> Option<&'a String> {
    let main = tag.split('-').next().unwrap_or_default();
    [tag, main, "en"]
        .iter()
        .find_map(|language| texts.get(*language))
}

/// Returns a text in which each placeholder, such as `{seat}`, is the value of that name.
fn filled(text: &str, values: &HashMap<String, String>) -> String {
    let mut parts = text.split('{');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        result += values.get(name).map_or("", String::as_str);
        result += rest;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(code: Code, reason: &str, metadata: &[(&str, &str)]) -> Status {
        let metadata = metadata.iter().map(|(k, v)| (k.to_string(), v.to_string()));
        let info = ErrorInfo {
            reason: reason.into(),
            domain: DOMAIN.into(),
            metadata: metadata.collect(),
        };
        let text = |locale: &str, message: &str| LocalizedMessage {
            locale: locale.into(),
            message: message.into(),
        };
        let retry = RetryInfo {
            retry_delay: Some(prost_types::Duration {
                seconds: 1,
                nanos: 0,
            }),
        };
        let details = vec![
            packed("ErrorInfo", &info),
            packed("LocalizedMessage", &text("en", "english")),
            packed("LocalizedMessage", &text("de", "deutsch")),
            packed("RetryInfo", &retry),
        ];
        let status = crate::google::rpc::Status {
            code: code as i32,
            message: "gRPC's text".into(),
            details,
        };
        Status::with_details(code, "gRPC's text", status.encode_to_vec().into())
    }

    fn packed(name: &str, detail: &impl Message) -> prost_types::Any {
        prost_types::Any {
            type_url: format!("type.googleapis.com/google.rpc.{name}"),
            value: detail.encode_to_vec(),
        }
    }

    #[test]
    fn an_error_is_known_by_its_reason_and_says_what_belongs_to_it() {
        let metadata = [
            ("rule", "YG-7.2"),
            ("refusal", "world_blocked"),
            ("index", "2"),
        ];
        let status = failed(Code::FailedPrecondition, "ILLEGAL_COMMAND", &metadata);
        let error = Error::from(status);
        assert_eq!(*error.reason(), ErrorReason::IllegalCommand);
        let illegal = IllegalCommand {
            rule: "YG-7.2",
            refusal: "world_blocked",
            index: 2,
        };
        assert_eq!(error.illegal_command(), Some(illegal));
        assert_eq!(error.pending_decision(), None);
    }

    #[test]
    fn an_error_has_the_text_of_its_language() {
        let texts = [
            ("de-AT", "deutsch"),
            ("de", "deutsch"),
            ("", "english"),
            ("fr", "english"),
        ];
        for (language, text) in texts {
            let status = failed(Code::NotFound, "MATCH_NOT_FOUND", &[]);
            assert_eq!(Error::of_status(status, language).message(), text);
        }
    }

    #[test]
    fn uncertainty_follows_the_reason_or_else_the_code() {
        let cases = [
            (Code::Unavailable, "STORE_UNAVAILABLE", true),
            (Code::Aborted, "STALE_DECISION", false),
            (Code::Unavailable, "NEW_REASON", true),
            (Code::FailedPrecondition, "NEW_REASON", false),
        ];
        for (code, reason, uncertain) in cases {
            let error = Error::from(failed(code, reason, &[]));
            assert_eq!(error.is_uncertain(), uncertain, "{reason}");
        }
        assert!(!Error::replaced().is_uncertain());
        assert!(!Error::of_bot("it gave up".into()).is_uncertain());
    }

    #[test]
    fn the_pause_is_the_longest_that_the_server_asks_for() {
        let mut status = failed(Code::Unavailable, "BUSY", &[]);
        let pushback = "1500".parse().unwrap();
        status
            .metadata_mut()
            .insert("grpc-retry-pushback-ms", pushback);
        let error = Error::from(status);
        assert_eq!(error.retry_after(), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn a_rejection_has_the_text_of_the_contract_with_its_values() {
        let metadata = HashMap::from([("seat".to_owned(), "3".to_owned())]);
        let error = Error::of_rejection("SEAT_TAKEN", &metadata, "en");
        assert!(error.message().contains('3'), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(error.code(), Code::AlreadyExists);
        let error = Error::of_rejection("MOON_TOO_LOW", &metadata, "en");
        assert_eq!(error.message(), "MOON_TOO_LOW");
    }

    #[test]
    fn what_never_reached_a_server_is_unavailable_and_what_took_too_long_is_a_timeout() {
        let refused = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        assert_eq!(
            Error::from(Status::from_error(refused.into())).code(),
            Code::Unavailable
        );
        let late = Status::from_error(Box::new(TimeoutExpired(())));
        assert_eq!(Error::from(late).code(), Code::DeadlineExceeded);
    }
}
