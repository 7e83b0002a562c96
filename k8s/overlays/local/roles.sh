#!/usr/bin/env bash
# Runs once, on an empty database: the role that owns the service's database, and the one that relays its outbox.
set -euo pipefail

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet \
    --set service="$SERVICE" \
    --set app_password="$(cat "/run/secrets/paysaga/${SERVICE}_app")" \
    --set relay_password="$(cat "/run/secrets/paysaga/${SERVICE}_relay")" << 'SQL'
select :'service' || '_app' as app, :'service' || '_relay' as relay, 'paysaga_' || :'service' as database \gset
create role :app login password :'app_password';
create role :relay login replication password :'relay_password';
create database :database owner :app;
revoke all on database :database from public;
grant connect on database :database to :relay;
SQL
