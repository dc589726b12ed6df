#!/bin/sh
# Ends with what to install if this machine lacks one of the programs that a target of the Makefile needs.
# Usage: deploy/needs.sh TARGET PROGRAM...
set -eu
target=$1
shift

packages='' others=''
for program; do
	command -v "$program" >/dev/null && continue
	case $program in
	etcd) packages="$packages etcd-server" ;;
	node) packages="$packages nodejs" ;;
	unshare) packages="$packages util-linux" ;;
	go) others="$others; Go 1.26 or newer: https://go.dev/doc/install" ;;
	*) packages="$packages $program" ;;
	esac
done
[ -z "$packages" ] || others="; apt-get install --no-install-recommends$packages$others"
[ -z "$others" ] || {
	echo "make $target needs what this machine does not have$others" >&2
	exit 1
}
