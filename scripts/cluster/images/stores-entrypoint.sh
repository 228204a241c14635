#!/bin/bash
# The parts of the official entry points of PostgreSQL and Redis that docker-compose.yml relies on.
set -euo pipefail
# Without a password, Redis else refuses other hosts.
[ "$1" != redis-server ] || set -- "$@" --protected-mode no
[ "$1" = postgres ] || exec "$@"
export PGDATA=${PGDATA:-/var/lib/postgresql/17/docker}
user=${POSTGRES_USER:-postgres}

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /run/postgresql
  chown -R postgres:postgres "$PGDATA" /run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$user" --pwfile=<(echo "$POSTGRES_PASSWORD") --auth-host=scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses=''" start >/dev/null
  [ "${POSTGRES_DB:-postgres}" = postgres ] || createdb --username="$user" "$POSTGRES_DB"
  pg_ctl -w -m fast stop >/dev/null
fi
exec "$@" -c listen_addresses='*' -c unix_socket_directories=/run/postgresql
