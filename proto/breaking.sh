#!/bin/sh
# Compares the contract with the one that a commit holds: `breaking.sh [COMMIT]`, by default main's.
# Says so and does nothing where there is none to compare with.
set -eu
cd "$(dirname "$0")/.."
buf=${BUF:-buf}

skip() { echo "buf breaking: SKIPPED ($1)"; exit 0; }

git rev-parse --git-dir >/dev/null 2>&1 || skip "this is no git checkout"
for base in ${1:-origin/main main}; do
	git rev-parse --verify --quiet "$base^{commit}" >/dev/null && break
	base=
done
[ -n "$base" ] || skip "there is no commit ${1:-main} here"
git ls-tree -r --name-only "$base" -- proto | grep -q '\.proto$' || skip "$base has no contract yet"

old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
git archive "$base" proto | tar -x -C "$old"
cp buf.yaml "$old"
echo "buf breaking, against $base"
"$buf" breaking --against "$old"
