#!/bin/sh
# Builds Kubernetes' API server from its Go modules, for `make deploy-apply`. Its own module points at folders of its
# repository; the same code is published as modules of their own, under version 0 in place of 1.
# Usage: deploy/build-apiserver.sh FOLDER. Needs Go; it compiles 1,800 packages, the second time none.
set -eu
minor=36.3
export GOFLAGS="-mod=mod -buildvcs=false"
mkdir -p "$1"
cd "$1"
cat >main.go <<'END'
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
END
rm -f go.mod go.sum
go mod init example.org/apiserver 2>/dev/null
source=$(go mod download -json "k8s.io/kubernetes@v1.$minor" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
sed -n 's#^[[:space:]]*\(k8s.io/[a-z0-9-]*\) => ./staging/.*#\1#p' "$source/go.mod" | while read -r module; do
	go mod edit -replace "$module=$module@v0.$minor"
done
go mod edit -require "k8s.io/kubernetes@v1.$minor" -require "k8s.io/component-base@v0.$minor"
go build -ldflags "-s -w" -o kube-apiserver .
