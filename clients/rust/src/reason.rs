//! Why calls fail: the reasons of the contract with what it says of them.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use prost::Message;
use tonic::Code;

use crate::v1::{ErrorReason, ErrorReasonOptions};

const PREFIX: &str = "ERROR_REASON_";

/// Why a call or a stream failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The server gave this reason.
    Contract(ErrorReason),
    /// The server gave a reason that this client does not know.
    Unknown(String),
    /// The server gave no reason, or did not answer: the status code of gRPC.
    Status(Code),
    /// An address cannot be one.
    InvalidAddress,
    /// Another caller acts for the seat now, and the stream has ended.
    Replaced,
    /// The bot failed; [`std::error::Error::source`] is its error.
    Bot,
}

impl Reason {
    /// Returns the reason of that name: a value of the contract's `ErrorReason` without its prefix.
    pub fn from_name(name: &str) -> Self {
        match ErrorReason::from_str_name(&format!("{PREFIX}{name}")) {
            Some(known) => Reason::Contract(known),
            None => Reason::Unknown(name.to_owned()),
        }
    }

    /// Returns the stable name, such as `"SEAT_TAKEN"` or `"UNAVAILABLE"`.
    pub fn name(&self) -> &str {
        match self {
            Reason::Contract(known) => known.as_str_name().trim_start_matches(PREFIX),
            Reason::Unknown(name) => name,
            Reason::Status(code) => code_name(*code),
            Reason::InvalidAddress => "INVALID_ADDRESS",
            Reason::Replaced => "REPLACED",
            Reason::Bot => "BOT",
        }
    }

    /// Returns what the contract says of the reason, if this client knows it.
    pub(crate) fn options(&self) -> Option<&'static ErrorReasonOptions> {
        match self {
            Reason::Contract(known) => OPTIONS.get(known.as_str_name()),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq<ErrorReason> for Reason {
    fn eq(&self, other: &ErrorReason) -> bool {
        matches!(self, Reason::Contract(known) if known == other)
    }
}

/// Returns the name of a status code as the contract writes it.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// The options of every reason, by the name of its value. They are in the descriptors of the
/// contract, as an extension, which prost does not generate code for.
static OPTIONS: LazyLock<HashMap<String, ErrorReasonOptions>> = LazyLock::new(|| {
    let files = Files::decode(crate::DESCRIPTORS).expect("the descriptors are those of protoc");
    let enums = files.file.into_iter().flat_map(|file| file.enum_type);
    enums
        .filter(|found| found.name == "ErrorReason")
        .flat_map(|found| found.value)
        .filter_map(|value| Some((value.name, value.options?.error_reason?)))
        .collect()
});

/// A `google.protobuf.FileDescriptorSet`, as far as it is needed here.
#[derive(Clone, PartialEq, Message)]
struct Files {
    #[prost(message, repeated, tag = "1")]
    file: Vec<File>,
}

#[derive(Clone, PartialEq, Message)]
struct File {
    #[prost(message, repeated, tag = "5")]
    enum_type: Vec<Enum>,
}

#[derive(Clone, PartialEq, Message)]
struct Enum {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    value: Vec<Value>,
}

#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "3")]
    options: Option<ValueOptions>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueOptions {
    #[prost(message, optional, tag = "50210")]
    error_reason: Option<ErrorReasonOptions>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_of_the_contract_has_options_and_a_name_that_leads_back() {
        let mut known = 0;
        for reason in (1..1000).filter_map(|number| ErrorReason::try_from(number).ok()) {
            let reason = Reason::Contract(reason);
            assert!(reason.options().is_some(), "{reason}");
            assert_eq!(Reason::from_name(reason.name()), reason);
            known += 1;
        }
        assert!(known > 50);
    }

    #[test]
    fn a_reason_that_is_not_of_the_contract_keeps_its_name() {
        let reason = Reason::from_name("MOON_TOO_LOW");
        assert_eq!(reason, Reason::Unknown("MOON_TOO_LOW".into()));
        assert_eq!(reason.to_string(), "MOON_TOO_LOW");
    }
}
