#!/bin/sh
# Makes what deploy/compose.yaml needs and no repository may hold: an authority, the certificates that it
# signs, and the passwords of the store and of Grafana. Run it again to renew the certificates; the rest stays.
# Usage: deploy/secrets.sh [FOLDER], by default deploy/secrets
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
cd "$folder" # only its owner may enter; below it each container's user may read
mkdir -p redis server envoy
chmod 755 redis server envoy

key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
if [ ! -e ca.pem ]; then
	# shellcheck disable=SC2086
	openssl req -x509 $key -days 3650 -subj "/CN=Taflhall" -addext keyUsage=critical,keyCertSign \
		-keyout ca.key -out ca.pem 2>/dev/null
fi
for each in redis server envoy; do
	cp ca.pem new.pem
	chmod 644 new.pem
	mv new.pem $each/ca.pem
done

identity() { # the file, what the certificate is good for, the names that it is for
	# shellcheck disable=SC2086
	openssl req -new $key -subj "/CN=$(basename "$1" .pem)" -keyout new.key -out new.csr 2>/dev/null
	printf '%s\n' "basicConstraints=critical,CA:FALSE" "extendedKeyUsage=$2" "subjectAltName=$3" \
		"subjectKeyIdentifier=hash" "authorityKeyIdentifier=keyid" >new.ext
	openssl x509 -req -in new.csr -CA ca.pem -CAkey ca.key -set_serial "0x$(openssl rand -hex 16)" \
		-days 90 -extfile new.ext -out new.pem 2>/dev/null
	cat new.key >>new.pem # certificate and key in one file: renaming it replaces both at once
	chmod 644 new.pem
	mv new.pem "$1"
	rm new.key new.csr new.ext
}
here=DNS:localhost,IP:127.0.0.1
identity redis/redis.pem serverAuth "DNS:redis,$here"
identity server/server.pem serverAuth,clientAuth "DNS:server,$here" # a client too: of its own health
identity envoy/envoy.pem clientAuth DNS:envoy
if [ -n "${PUBLIC_NAMES:-}" ] || [ ! -e public.names ]; then
	echo "${PUBLIC_NAMES:-$here}" >public.names
fi
if [ ! -e envoy/public.pem ] || openssl verify -CAfile ca.pem envoy/public.pem >/dev/null 2>&1; then
	identity envoy/public.pem serverAuth "$(cat public.names)"
fi # one of another authority stays

digest() {
	printf %s "$1" | openssl dgst -sha256 -r | cut -d ' ' -f 1
}
if [ ! -e server.env ]; then
	servers=$(openssl rand -hex 24) operator=$(openssl rand -hex 24)
	printf '%s\n' "user default on nopass resetkeys resetchannels -@all +ping" \
		"user taflhall on #$(digest "$servers") ~taflhall:* &taflhall:* +@all -@admin -@dangerous +config|get +info +bgrewriteaof" \
		"user operator on #$(digest "$operator") ~* &* +@all" >redis/users.acl
	chmod 644 redis/users.acl
	echo "rediss://operator:$operator@redis:6379/0" >operator.url
	echo "GF_SECURITY_ADMIN_PASSWORD=$(openssl rand -hex 12)" >grafana.env
	echo "TAFLHALL_STORE=rediss://taflhall:$servers@redis:6379/0?ssl_ca_certs=/run/taflhall/ca.pem" >server.env
fi
