package taflhall

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
)

// keyPrefix is what every API key begins with.
const keyPrefix = "tfk_"

// addressesOf returns the addresses that a text names, with commas between, or says which is none.
// A target of gRPC, such as unix:PATH or dns:///HOST:PORT, is one.
func addressesOf(text string) ([]string, *Error) {
	var found []string
	for address := range strings.SplitSeq(text, ",") {
		address = strings.TrimSpace(address)
		if !isTarget(address) && !isHostAndPort(address) {
			message := fmt.Sprintf("%q is not an address: write HOST:PORT, such as localhost:50051", address)
			return nil, &Error{Reason: ReasonInvalidAddress, Code: codes.InvalidArgument, Message: message}
		}
		found = append(found, address)
	}
	return found, nil
}

func isTarget(address string) bool {
	return strings.HasPrefix(address, "unix:") || strings.Contains(address, ":///")
}

func isHostAndPort(address string) bool {
	host, port, err := net.SplitHostPort(address)
	number, fault := strconv.ParseUint(port, 10, 16)
	return err == nil && fault == nil && number > 0 && host != "" && !strings.ContainsAny(host, "/@ ")
}

// checkKey returns what is wrong with an API key that no account can have.
func checkKey(key string) *Error {
	if key == "" || strings.HasPrefix(key, keyPrefix) {
		return nil
	}
	message := "that is not an API key: one reads " + keyPrefix + "..., and is not the secret of a seat"
	return &Error{Reason: ReasonAPIKeyInvalid, Code: codes.Unauthenticated, Message: message}
}
