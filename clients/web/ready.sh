#!/bin/sh
# Builds the page into the folder from which the server serves it, as far as something has changed.
set -e
cd "$(dirname "$0")"
served=../../service/taflhall_service/web/static
mkdir -p build
if command -v flock >/dev/null; then # tests of several processes need it at once
	exec 9>build/.lock
	flock 9
fi
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund
if [ ! -e build/.built ] || [ ! -d "$served" ] ||
	[ -n "$(find src tests public index.html ./*.json ./*.ts ../typescript/src -newer build/.built)" ]; then
	npm run --silent build
	rm -rf "$served"
	cp -R build/page "$served"
	touch build/.built
fi
