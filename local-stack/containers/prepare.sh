#!/usr/bin/env bash
# Makes the secrets of a first start, and gives each container those it needs, readable by nobody else.
#
#   /state            .paysaga of the repository: the same secrets serve the embedded stack and the command line
#   /give/NAME        a volume for each container
#   /data/registry    the registry's database, to be written by its user
#   /owner            a file of the repository: whoever owns it owns the secrets
set -euo pipefail
umask 077

SERVICES=(order inventory account notification console)
SERVICE_GROUP=10001  # of our image
POSTGRES_GROUP=999   # of the postgres image
REGISTRY_USER=1001   # of docker-compose.yml

secrets=/state/secrets
mkdir -p "$secrets"

password() {
    local file=$secrets/$1.password
    if [ ! -s "$file" ]; then
        openssl rand -base64 24 | tr '+/' '-_' | tr -d '\n' > "$file.new"
        mv "$file.new" "$file"
    fi
    cat "$file"
}

# give GROUP FILE < content
give() {
    cat > "$2.new"
    chown "0:$1" "$2.new"
    chmod 640 "$2.new"
    mv "$2.new" "$2"
}

if [ ! -s "$secrets/jwt-public.pem" ]; then
    openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$secrets/jwt-private.pem"
    openssl pkey -in "$secrets/jwt-private.pem" -pubout -out "$secrets/jwt-public.pem.new"
    mv "$secrets/jwt-public.pem.new" "$secrets/jwt-public.pem"
fi

for service in "${SERVICES[@]}"; do
    # Named as the properties they set: the service reads them as a configuration tree.
    mine=/give/$service
    password "${service}_app" | give $SERVICE_GROUP "$mine/spring.datasource.password"
    password "${service}_relay" | give $SERVICE_GROUP "$mine/saga.relay.password"
    give $SERVICE_GROUP "$mine/jwt-public.pem" < "$secrets/jwt-public.pem"

    database=/give/$service-db
    for role in postgres "${service}_app" "${service}_relay"; do
        password "$role" | give $POSTGRES_GROUP "$database/$role"
    done
    chown "0:$SERVICE_GROUP" "$mine"
    chown "0:$POSTGRES_GROUP" "$database"
    chmod 750 "$mine" "$database"
done

# There is no issuer here: the console signs the tokens it shows the services itself.
give $SERVICE_GROUP /give/console-key/private.pem < "$secrets/jwt-private.pem"
chown "0:$SERVICE_GROUP" /give/console-key
chmod 750 /give/console-key

chown -R --reference=/owner /state
chown "$REGISTRY_USER" /data/registry
