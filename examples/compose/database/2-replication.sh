#!/bin/sh
# What the service needs: a role that reads the log and all tables, later ones too, and the publication.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$PS_REPLICATION_PASSWORD" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role headwater login replication password :'password';
grant select on all tables in schema public to headwater;
alter default privileges in schema public grant select on tables to headwater;
create publication powersync for all tables;
SQL
