//! TLS from PEM files.

use std::path::Path;

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// Returns the configuration that trusts the authority in the PEM file `ca`, or those of the system
/// without it, and shows the certificate in the files of `identity` (certificate and key).
pub fn tls_from_files(
    ca: Option<&Path>,
    identity: Option<(&Path, &Path)>,
) -> std::io::Result<ClientTlsConfig> {
    let mut tls = match ca {
        Some(ca) => {
            ClientTlsConfig::new().ca_certificate(Certificate::from_pem(std::fs::read(ca)?))
        }
        None => ClientTlsConfig::new().with_native_roots(),
    };
    if let Some((certificate, key)) = identity {
        let (certificate, key) = (std::fs::read(certificate)?, std::fs::read(key)?);
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    Ok(tls)
}
