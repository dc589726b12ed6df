#!/bin/sh
# Installs and builds the client, its examples and its driver, as far as something has changed.
set -e
cd "$(dirname "$0")"
mkdir -p build
if command -v flock >/dev/null; then # tests of several processes need it at once
	exec 9>build/.lock
	flock 9
fi
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund
if [ ! -e build/.built ] || [ -n "$(find src examples tests ./*.json -newer build/.built)" ]; then
	npm run --silent build
	touch build/.built
fi
