package taflhall

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TLSFromFiles returns the configuration that trusts the authority in the file ca (PEM), or those of
// the system if it is empty, and shows the certificate in the files cert and key if they are given.
func TLSFromFiles(ca, cert, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("taflhall: %s holds no certificate", ca)
		}
	}
	if cert != "" || key != "" {
		own, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{own}
	}
	return config, nil
}
