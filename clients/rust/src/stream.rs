//! What watches and bots make of the end of a stream.

use crate::error::Error;
use crate::timing::lost;
use crate::v1::{StreamEnd, StreamEndCause};

/// Returns whether a stream ended because the match has.
pub(crate) fn is_over(end: &StreamEnd) -> bool {
    matches!(
        end.cause(),
        StreamEndCause::Finished | StreamEndCause::Abandoned
    )
}

/// Returns the error of a stream that the server has ended.
pub(crate) fn closed(end: &StreamEnd) -> Error {
    match end.cause() {
        StreamEndCause::Replaced => Error::replaced(),
        cause => lost(format!(
            "the server closed the stream: {}",
            cause.as_str_name()
        )),
    }
}
