#!/bin/sh
# Compares the contract with the one that a commit holds: `breaking.sh [COMMIT]`, by default main's.
#
# proto/BASELINE names the baseline that clients build against: `draft` before the first release,
# then `v1`. Two commits are compared only if both name the same baseline and it is not a draft.
# Prints why it is skipped where there is nothing to compare with.
set -eu
cd "$(dirname "$0")/.."
buf=${BUF:-buf}

skip() { echo "buf breaking: SKIPPED ($1)"; exit 0; }

baseline=$(cat proto/BASELINE)
[ "$baseline" != draft ] || skip "the contract is a draft, see proto/BASELINE"
git rev-parse --git-dir >/dev/null 2>&1 || skip "not a git checkout"
for base in ${1:-origin/main main}; do
	git rev-parse --verify --quiet "$base^{commit}" >/dev/null && break
	base=
done
[ -n "$base" ] || skip "no commit ${1:-main} here"
of_base=$(git show "$base:proto/BASELINE" 2>/dev/null) || of_base=none
[ "$of_base" = "$baseline" ] || skip "the baseline of $base is $of_base, ours is $baseline"

old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
git archive "$base" proto | tar -x -C "$old"
cp buf.yaml "$old"
echo "buf breaking, against $base"
"$buf" breaking --against "$old"
