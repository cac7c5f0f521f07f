#!/usr/bin/env bash
# Makes the secrets for compose.yml in docker/secrets, or in the folder given. Existing files stay.
set -euo pipefail
folder=${1:-$(cd "$(dirname "$0")" && pwd)/secrets}
umask 077
mkdir -p "$folder"
cd "$folder"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
# The containers' users do not own the files, so the files are readable by all; the folder is closed to other users of
# this machine.
put() { [ -e "$1" ] || { cat >"$1.new"; chmod 644 "$1.new"; mv "$1.new" "$1"; }; }
secret() { [ -e "$1" ] || random | put "$1"; cat "$1"; }

secret admin-token >/dev/null
secret cluster-secret >/dev/null

nats=$(secret nats-password)
put nats-users.conf <<<"authorization { users: [{ user: partline, password: \"$nats\" }] }"
route=$(secret nats-cluster-password)
put nats-cluster.conf <<<"authorization { user: route, password: \"$route\" }
routes: [\"nats://route:$route@nats-1:6222\", \"nats://route:$route@nats-2:6222\", \"nats://route:$route@nats-3:6222\"]"
put nats-url <<<"nats://partline:$nats@nats-1:4222,nats://partline:$nats@nats-2:4222,nats://partline:$nats@nats-3:4222"

secret mongodb-root-password >/dev/null
secret mongodb-key >/dev/null
mongodb=$(secret mongodb-password)
put mongodb-url <<<"mongodb://partline:$mongodb@mongodb-1:27017,mongodb-2:27017,mongodb-3:27017/partline?replicaSet=partline&authSource=partline"

elasticsearch=$(secret elasticsearch-password)
put elasticsearch-url <<<"http://elastic:$elasticsearch@elasticsearch:9200"

redis=$(secret redis-password)
put redis.conf <<<"requirepass $redis"
put redis-url <<<"redis://:$redis@redis:6379"

s3_id=$(secret s3-access-key-id)
s3_key=$(secret s3-secret-access-key)
put s3.json <<<"{\"identities\":[{\"name\":\"partline\",\"credentials\":[{\"accessKey\":\"$s3_id\",\"secretKey\":\"$s3_key\"}],\"actions\":[\"Admin\",\"Read\",\"Write\",\"List\",\"Tagging\"]}]}"

# Secrets from providers. An empty file counts as missing, which the start reports in production.
for name in stripe-secret-key stripe-webhook-secret identity-webhook-secret identity-client-secret dis-api-key dis-dealer-id tire-supplier-api-key; do put "$name" </dev/null; done
echo "The secrets are in $folder. In production, write what the providers gave you into:"
find . -type f -empty | sed 's|^\./|  |' | sort
