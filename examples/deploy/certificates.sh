#!/bin/sh
# Certificates for the Dask cluster alone: whoever shows one may run programs on the workers.
# The authority's key is deleted at the end, so that nobody else can ever join; to renew, run this again.
set -eu
cd "$(dirname "$0")"
mkdir -p certificates
cd certificates
umask 077
key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
openssl req -x509 $key -days 730 -subj "/CN=tautline cluster" -keyout ca-key.pem -out ca.pem
openssl req $key -subj "/CN=tautline" -keyout key.pem -out request.pem
openssl x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 730 -out cert.pem
rm -f ca-key.pem request.pem ca.srl
# The containers' user reads them; on other machines nobody else may.
if [ "$(id -u)" = 0 ]; then
  chown 10001 ca.pem cert.pem key.pem .
else
  chmod 755 . && chmod 644 ca.pem cert.pem key.pem
  echo "key.pem can be read by every user of this machine; run this as root to keep it to the containers" >&2
fi
