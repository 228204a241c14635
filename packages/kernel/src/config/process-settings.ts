import { workerQueueNames } from '@continuity/contract';
import { z } from 'zod';
import { defaultDataDirectory } from './home.ts';
import { headerSecret } from './secrets.ts';
import {
  databaseUrl,
  hostList,
  milliseconds,
  onOff,
  queueList,
  secretUrl,
  serverList,
  serverNameList,
  text,
  whole,
} from './value-types.ts';

/** Settings of processes: addresses, stores, authentication, telemetry, limits, shutdown, workers. */
export const processSettings = {
  HOST: text.default('127.0.0.1').describe('Address that the gateway or the embedder listens on.'),
  PORT: whole(0, 65_535)
    .default(8000)
    .describe('Port that the gateway or the embedder listens on. 0 selects a free port.'),
  ALLOWED_HOSTS: hostList
    .optional()
    .describe(
      'Further host names, without ports and separated by commas, to which a service without authentication answers. It always answers to loopback names and `HOST`. Web pages of these hosts can send writes.',
    ),
  METRICS_PORT: whole(0, 65_535)
    .optional()
    .describe(
      'Port that serves only `/metrics`, without a token. 0 selects a free port. Without it, `PORT` serves `/metrics`, which needs a token of the role `operator` if authentication is on.',
    ),
  LIVENESS_FILE: text
    .optional()
    .describe(
      'File that a worker or report worker touches every 5 s while its event loop runs. A liveness probe can check its age.',
    ),
  WORKER_METRICS_PORT: whole(0, 65_535)
    .optional()
    .describe(
      'Port on which a worker serves `/metrics`, without a token. 0 selects a free port. Without it, a worker listens on no port. Do not set it for `npm start`, whose workers share a machine.',
    ),
  DATA_DIR: text
    .optional()
    .transform((value) => value ?? defaultDataDirectory())
    .describe(
      'Directory of the embedded PostgreSQL of the all-in-one service. A user without a home folder has to set it.',
    ),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'URL of PostgreSQL; with several hosts (`a:5432,b:5432`), the one that accepts writes is used. Separate processes require it. Without it, the all-in-one service starts its own PostgreSQL.',
    ),
  DATABASE_HOST: text
    .optional()
    .describe(
      'Host of PostgreSQL, or several separated by commas, instead of `DATABASE_URL`. Requires `DATABASE_USER` and `DATABASE_NAME`. No part of an address is percent-encoded.',
    ),
  DATABASE_PORT: text.optional().describe('Port of PostgreSQL, by default 5432.'),
  DATABASE_NAME: text.optional().describe('Name of the database.'),
  DATABASE_USER: text.optional().describe('User of the database.'),
  DATABASE_PASSWORD: text.optional().describe('Password of that user.'),
  DATABASE_PARAMETERS: text
    .optional()
    .describe('Parameters of the connection, such as `sslmode=verify-full&sslrootcert=/certs/ca.crt`.'),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'URL of PostgreSQL itself, if `DATABASE_URL` is a pooler in transaction mode such as PgBouncer. See [stores](stores.md#pgbouncer).',
    ),
  DATABASE_SERVERS_FILE: text
    .optional()
    .describe(
      'JSON file of several PostgreSQL servers with their URLs, instead of `DATABASE_URL`. Each tenant lives on one of them. A process reads the file when it starts. See [database servers](database-servers.md).',
    ),
  WORKER_SERVERS: serverNameList
    .optional()
    .describe(
      'Names of the servers of `DATABASE_SERVERS_FILE` that a worker or report worker works for, separated by commas. Default: all.',
    ),
  DATABASE_PREPARED_STATEMENTS: onOff
    .default(true)
    .describe(
      '`off` sends statements without names, for a pooler that does not track them: PgBouncer before 1.21, or with `max_prepared_statements` 0.',
    ),
  DATABASE_POOL_SIZE: whole(1, 200)
    .default(10)
    .describe(
      'Connections of each process to PostgreSQL, or to each server of `DATABASE_SERVERS_FILE`. Prisma uses 40 % of them, and named statements the rest, each at least one.',
    ),
  REDIS_URL: secretUrl
    .optional()
    .describe('URL of the Redis for the queues. Without it, the queues are in PostgreSQL.'),
  REDIS_HOST: text.optional().describe('Host of Redis, instead of `REDIS_URL`.'),
  REDIS_PORT: text.optional().describe('Port of Redis, by default 6379.'),
  REDIS_USER: text.optional().describe('User of Redis.'),
  REDIS_PASSWORD: text.optional().describe('Password of Redis.'),
  REDIS_TLS: onOff
    .optional()
    .describe('`on` connects to `REDIS_HOST` over TLS, as `rediss:` in `REDIS_URL`.'),
  REDIS_SENTINELS: serverList
    .optional()
    .describe(
      'Sentinels as `host:port`, separated by commas. The host of `REDIS_URL` is then the name of the master.',
    ),
  REDIS_SENTINEL_PASSWORD: text.optional().describe('Password of the Sentinels.'),
  REDIS_CLUSTER_NODES: serverList
    .optional()
    .describe(
      'Nodes of a Redis Cluster as `host:port`, separated by commas, besides the host of `REDIS_URL`. Processes discover the other nodes.',
    ),
  REDIS_TLS_CA_FILE: text
    .optional()
    .describe(
      'PEM file of the certificate authorities of Redis and its Sentinels. `REDIS_URL` must begin with `rediss:`. A process reads the file when it starts.',
    ),
  REDIS_TLS_CERT_FILE: text.optional().describe('PEM file of the client certificate for Redis.'),
  REDIS_TLS_KEY_FILE: text.optional().describe('PEM file of the key of that certificate.'),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,32}$/)
    .default('continuity')
    .describe('Prefix of the queue keys. Deployments that share a Redis need different ones.'),
  AUTH_TOKEN: headerSecret
    .min(16)
    .optional()
    .describe('Bearer token of the tenant `default`. Without any token there is no authentication.'),
  AUTH_TOKENS_FILE: text
    .optional()
    .describe(
      'JSON file of hashed tokens, each with its tenant or the role `operator`. A gateway reloads it every 10 s and on SIGHUP. See [authentication](authentication.md).',
    ),
  CONSOLE: onOff
    .default(true)
    .describe(
      'Serves the [web console](console.md) at `/console`. With `off`, `/console` is an unknown path.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest level to log. The all-in-one service (`npm start`) defaults to `warn`.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'OpenTelemetry collector (OTLP over HTTP). Without it, the service traces and exports nothing.',
    ),
  OTEL_SERVICE_NAME: text
    .optional()
    .describe('Service name in telemetry. Defaults to the name of the process.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of new traces to sample.'),
  BODY_LIMIT_BYTES: whole(1024, 67_108_864).default(8_388_608).describe('Maximum size of a request body.'),
  UNREAD_ANSWERS_LIMIT_BYTES: whole(67_108_864, 1_099_511_627_776)
    .default(1_073_741_824)
    .describe(
      'Maximum total size of unread answers over 256 KiB that a gateway keeps in temporary files. A tenant can use at most half of the ' +
        'space that other tenants leave free. Further answers are 503 `runtime_not_ready`.',
    ),
  RATE_LIMIT_PER_MINUTE: whole(1, 10_000_000)
    .optional()
    .describe(
      'Maximum requests of a tenant per minute. No limit by default. With `REDIS_URL`, all gateways count together. Without it, each gateway counts its own requests.',
    ),
  CONCURRENT_REQUESTS_LIMIT: whole(1, 100_000)
    .optional()
    .describe(
      'Maximum requests of a tenant that a gateway process serves at the same time. No limit by default.',
    ),
  JOB_WAIT_MS: milliseconds
    .default(30_000)
    .describe('Maximum time that a request waits for its job. Then it gets 503 `job_timeout`.'),
  JOB_FAILED_RETENTION_DAYS: whole(1, 3650)
    .default(14)
    .describe(
      'Days for which the service keeps failed jobs, so that they can be retried. It keeps reconciles of remote targets for an hour, and other jobs for a day.',
    ),
  GATEWAY_DRAIN_MS: whole(0, 600_000)
    .default(0)
    .describe(
      'Time for which a gateway still serves after SIGTERM, while its readiness fails: load balancers notice, and callers leave their open connections.',
    ),
  SHUTDOWN_GRACE_MS: milliseconds
    .default(20_000)
    .describe('Maximum time for requests and jobs to end after SIGTERM.'),
  WORKER_CONCURRENCY: whole(1, 256)
    .default(8)
    .describe(
      'Concurrent jobs of a worker process in each queue. The default for `npm start` without a model is half the number of processors.',
    ),
  WORKER_QUEUES: queueList
    .default([...workerQueueNames])
    .describe(
      'Queues from which a worker process takes jobs, separated by commas. Report workers have a queue of their own.',
    ),
};
