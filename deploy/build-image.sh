#!/bin/sh
# Builds deploy/Dockerfile as taflhall:dev without a Docker engine and without a registry of images: buildah
# carries out its steps in chroots, and the images that it begins with are made here, of Debian's packages
# (Python 3.11 at /usr/bin) and this machine's Node with its npm. Needs root, buildah and debootstrap.
# Usage: deploy/build-image.sh FOLDER. FOLDER/image then holds the layers and the manifest, FOLDER/root the files;
# what the image begins with stays in FOLDER for the next time.
set -eu
[ "$(id -u)" = 0 ] || { echo "$0 needs root: buildah runs the steps in chroots" >&2 && exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
base=$folder/base
export BUILDAH_ISOLATION=chroot
authorities=/etc/ssl/certs/ca-certificates.crt # also those of a proxy before the registries of packages

buildah() {
	command buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver vfs "$@"
}

bases() { # the images that the Dockerfile begins with
	sed -n 's/^FROM \([^ ]*:[^ ]*\).*/\1/p' deploy/Dockerfile | sort -u
}

make_bases() {
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
	rm -rf "$base"
	mkdir -p "$base"
	debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,libpython3.11-dev \
		bookworm "$base" "$mirror" >"$folder/debootstrap.log"
	rm -rf "$base"/var/cache/apt/archives/*.deb "$base"/var/lib/apt/lists/*
	ln -s python3 "$base/usr/bin/python"
	container=$(buildah from scratch)
	buildah add --quiet "$container" "$base" / >/dev/null
	buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
	for image in $(bases | grep ^python:); do
		buildah commit --quiet "$container" "docker.io/library/$image" >/dev/null
	done
	node=$(dirname "$(dirname "$(command -v node)")")
	for part in bin/node lib/node_modules/npm; do
		buildah add --quiet "$container" "$node/$part" "/usr/$part" >/dev/null
	done
	buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm
	buildah config --env "NODE_EXTRA_CA_CERTS=$authorities" "$container"
	for image in $(bases | grep ^node:); do
		buildah commit --quiet "$container" "docker.io/library/$image" >/dev/null
	done
	buildah rm "$container" >/dev/null
}

for image in $(bases); do
	buildah inspect --type image "docker.io/library/$image" >/dev/null 2>&1 || { make_bases && break; }
done
buildah build --quiet --pull=never --format docker --volume "$authorities:$authorities:ro" \
	--ignorefile deploy/Dockerfile.dockerignore -f deploy/Dockerfile -t taflhall:dev .

rm -rf "$folder/image" "$folder/root"
buildah push --quiet --format docker taflhall:dev "dir:$folder/image"
container=$(buildah from --pull=never taflhall:dev)
cp -a "$(buildah mount "$container")" "$folder/root"
buildah rm "$container" >/dev/null
