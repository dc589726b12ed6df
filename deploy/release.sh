#!/bin/sh
# Builds dist/: sdist, pure wheel, compiled wheel for manylinux; installs each in a fresh environment
# and plays with it; writes dist/NOTES.md from the dated section of CHANGELOG.md.
# Usage: deploy/release.sh BIN, where BIN is the folder of the project environment's programs.
set -eu
bin=$1
uv=$bin/uv
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

if [ "${GITHUB_REF_TYPE:-}" = tag ] && [ "$GITHUB_REF_NAME" != "v$version" ]; then
	echo "release: the tag is $GITHUB_REF_NAME, but pyproject.toml says $version" >&2
	exit 1
fi

rm -rf dist build/release
mkdir -p dist build/release
"$bin/hatchling" build --target sdist --directory dist
"$bin/hatchling" build --target wheel --directory dist
TAFLHALL_MYPYC=1 "$bin/hatchling" build --target wheel --directory build/release

test -x .venv-release/bin/python || "$uv" venv --quiet --python "$bin/python" .venv-release
"$uv" pip sync --quiet --python .venv-release --require-hashes deploy/requirements-release.lock
PATH="$PWD/.venv-release/bin:$PATH" .venv-release/bin/auditwheel repair --wheel-dir dist build/release/*.whl

try() { # what is tried, the file
	rm -rf build/release/env
	"$uv" venv --quiet --python "$bin/python" build/release/env
	"$uv" pip install --quiet --python build/release/env "$2[client]"
	build/release/env/bin/taflhall playout yggdrasil --matches 20 --seats 2
	echo "release: $1 installs and plays"
}
try "the sdist" dist/*.tar.gz
try "the pure wheel" dist/*-py3-none-any.whl
try "the compiled wheel" dist/*manylinux*.whl
build/release/env/bin/python -c 'from taflhall_engine.kernel import COMPILED; assert COMPILED'

awk -v version="$version" '
	/^## \[/ { wanted = index($0, "[" version "]") > 0; if (wanted) { found = 1; next } }
	wanted { print }
	END { exit !found }
' CHANGELOG.md >dist/NOTES.md || {
	echo "release: CHANGELOG.md has no section [$version]; dist/NOTES.md holds what is unreleased" >&2
	awk '/^## \[/ { wanted = /Unreleased/; next } wanted { print }' CHANGELOG.md >dist/NOTES.md
	[ "${GITHUB_REF_TYPE:-}" != tag ]
}
ls -l dist
