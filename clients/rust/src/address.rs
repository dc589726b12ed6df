//! What can be an address, and what an API key.

use tonic::Code;

use crate::error::{Error, Result};
use crate::reason::Reason;
use crate::v1::ErrorReason;

/// What every API key begins with.
const KEY_PREFIX: &str = "tfk_";

/// Returns the addresses that a text names, with commas between.
pub(crate) fn addresses_of(text: &str) -> Result<Vec<String>> {
    let addresses = text.split(',').map(str::trim);
    addresses
        .map(|address| {
            if is_host_and_port(address) {
                return Ok(address.to_owned());
            }
            let message =
                format!("{address:?} is not an address: write HOST:PORT, such as localhost:50051");
            Err(Error::of_reason(
                Reason::InvalidAddress,
                Code::InvalidArgument,
                message,
            ))
        })
        .collect()
}

fn is_host_and_port(address: &str) -> bool {
    let Some((host, port)) = address.rsplit_once(':') else {
        return false;
    };
    let bracketed = host.starts_with('[') && host.ends_with(']');
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    !host.is_empty()
        && (bracketed || !host.contains(':'))
        && !host.contains(['/', '@', ' '])
        && digits
        && port.parse::<u16>().is_ok_and(|number| number > 0)
}

/// Fails if no account can have that API key.
pub(crate) fn check_key(key: &str) -> Result<()> {
    if key.is_empty() || key.starts_with(KEY_PREFIX) {
        return Ok(());
    }
    let reason = Reason::Contract(ErrorReason::ApiKeyInvalid);
    let message = format!(
        "that is not an API key: one reads {KEY_PREFIX}..., and is not the secret of a seat"
    );
    Err(Error::of_reason(reason, Code::Unauthenticated, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_host_and_port() {
        for address in ["localhost:1", "[::1]:50051", "a:1, b:2"] {
            assert!(addresses_of(address).is_ok(), "{address}");
        }
        let faulty = [
            "",
            "localhost",
            "host:port",
            "127.0.0.1:99999",
            "a:1,b",
            "http://a:1",
            "::1:50051",
            "a:+1",
        ];
        for address in faulty {
            let error = addresses_of(address).unwrap_err();
            assert_eq!(*error.reason(), Reason::InvalidAddress, "{address}");
        }
    }

    #[test]
    fn a_secret_of_a_seat_is_no_key() {
        assert!(check_key("tfk_a_b").is_ok());
        let error = check_key("hunter2").unwrap_err();
        assert_eq!(*error.reason(), ErrorReason::ApiKeyInvalid);
        assert!(!error.to_string().contains("hunter2"));
    }
}
