#!/bin/sh
# Builds the client, its tests, its examples and its driver into build/java, as far as something has changed.
set -e
cd "$(dirname "$0")"
out=../../build/java
mkdir -p "$out"
if command -v flock >/dev/null; then # tests of several processes need it at once
	exec 9>"$out/.lock"
	flock 9
fi
if [ ! -e "$out/.built" ] || [ -n "$(find pom.xml src examples ../../proto/taflhall -newer "$out/.built")" ]; then
	touch "$out/.begun"
	mvn --quiet --batch-mode test-compile dependency:copy-dependencies
	mv "$out/.begun" "$out/.built"
fi
