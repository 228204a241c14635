import { workerQueueNames } from '@continuity/contract';
import { z } from 'zod';
import { defaultDataDirectory } from './home.ts';
import { headerSecret, secretFileSettings } from './secrets.ts';
import {
  databaseUrl,
  hostList,
  milliseconds,
  onOff,
  prefix,
  queueList,
  secretUrl,
  serverList,
  serverNameList,
  text,
  whole,
} from './value-types.ts';

/** The settings of all processes: one environment variable each. */
export const settingsSchema = z.object({
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
      'JSON file of several PostgreSQL servers with their URLs, instead of `DATABASE_URL`. Each tenant lives on one of them. A process reads the file when it starts. See [scaling](scaling.md#several-database-servers).',
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
  MEMORY_SOURCE_WINDOW_LIMIT: whole(1, 1000).default(100).describe('Maximum Sources of one flush.'),
  MEMORY_EXTRACTION_PROFILE: z
    .enum(['coding', 'conversation'])
    .default('coding')
    .describe(
      'Statements that extraction selects: `coding` for software work, `conversation` also for personal facts.',
    ),
  MEMORY_AUTO_FLUSH: onOff
    .default(true)
    .describe('`on` flushes in the background after captures, `off` on request only.'),
  MEMORY_AUTO_FLUSH_DEBOUNCE_MS: milliseconds
    .default(10_000)
    .describe('Wait after the last capture before a background flush.'),
  MEMORY_AUTO_FLUSH_MAX_DELAY_MS: milliseconds
    .default(60_000)
    .describe('Maximum wait of a captured Source for its background flush.'),
  MEMORY_SWEEP_INTERVAL_MS: milliseconds
    .default(60_000)
    .describe('Interval of the search for Scopes whose background flush was missed.'),
  RECALL_ESTIMATION: onOff
    .default(true)
    .describe('`on` estimates the tokens that prepared contexts save, `off` only counts the contexts.'),
  INFERENCE_GENERATION_MODEL: text
    .optional()
    .describe(
      'Model that extracts Memory, drafts Handoffs and generates Experiences and Skills. Without a model, built-in rules do this.',
    ),
  INFERENCE_PROVIDER: z
    .enum(['openai-compatible', 'anthropic'])
    .default('openai-compatible')
    .describe('API of the endpoint of the model. `anthropic` requires `INFERENCE_API_KEY`.'),
  INFERENCE_BASE_URL: z
    .url()
    .optional()
    .describe(
      'Endpoint of the model, including the version (`https://host/v1`). Required, except for `anthropic`: then it defaults to `https://api.anthropic.com/v1`.',
    ),
  INFERENCE_API_KEY: headerSecret.optional().describe('API key of that endpoint.'),
  INFERENCE_GENERATION_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe('Timeout of one request to the generation model.'),
  INFERENCE_GENERATION_MAX_REQUESTS: whole(1, 10)
    .default(2)
    .describe(
      'Maximum requests to the model for one extraction, retries included. The same limit holds for one draft or generation if the endpoint does not answer.',
    ),
  INFERENCE_EMBEDDING_MODEL: text
    .max(256)
    .optional()
    .describe(
      'Model that embeds entries and queries, for search by meaning. Requires the next two settings as well.',
    ),
  INFERENCE_EMBEDDING_PROFILE_ID: text
    .max(128)
    .optional()
    .describe(
      'Your name for the vectors of that model. If the name, the model or the dimension changes, workers embed all entries again.',
    ),
  INFERENCE_EMBEDDING_DIMENSION: whole(1, 16_000).optional().describe('Dimension of its vectors.'),
  INFERENCE_EMBEDDING_QUERY_PREFIX: prefix.describe(
    'Text that the service puts before each query, for models that expect one, such as `query: `.',
  ),
  INFERENCE_EMBEDDING_PASSAGE_PREFIX: prefix.describe(
    'Text that the service puts before each entry, such as `passage: `. If you change it, change `INFERENCE_EMBEDDING_PROFILE_ID` too.',
  ),
  INFERENCE_EMBEDDING_BASE_URL: z
    .url()
    .optional()
    .describe(
      'OpenAI-compatible endpoint of the embedding model. The default is `INFERENCE_BASE_URL`, if that endpoint is OpenAI-compatible.',
    ),
  INFERENCE_EMBEDDING_API_KEY: headerSecret
    .optional()
    .describe(
      'API key of that endpoint. The service sends `INFERENCE_API_KEY` only to `INFERENCE_BASE_URL`.',
    ),
  INFERENCE_EMBEDDING_TIMEOUT_MS: milliseconds.default(30_000).describe('Timeout of one embedding request.'),
  INFERENCE_EMBEDDING_BATCH_SIZE: whole(1, 2048)
    .default(64)
    .describe('Maximum entries of one embedding request.'),
  EMBEDDER: onOff
    .default(true)
    .describe(
      '`on` uses the built-in embedder for search by meaning, if no `INFERENCE_EMBEDDING_MODEL` is set: `npm start` starts one, other deployments set `EMBEDDER_URL`. With `off`, search is by words.',
    ),
  EMBEDDER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of the built-in embedder (`http://host:port`). Gateways and workers need the same. `npm start` sets it.',
    ),
  EMBEDDER_FAILED: onOff
    .default(false)
    .describe(
      '`npm start` sets `on` if its embedder did not start. Readiness and `continuity doctor` say so.',
    ),
  EMBEDDER_THREADS: whole(1, 16).default(1).describe('Threads with which the embedder computes.'),
  INFERENCE_TRACE_CONTEXT: onOff
    .default(false)
    .describe(
      '`on` sends `traceparent` with the requests to models. Use it only for endpoints of your own: it shows a provider which requests belong to one trace.',
    ),
  MEMORY_RERANK_ENABLED: onOff
    .default(false)
    .describe('`on` lets the generation model reorder the best hits of a search.'),
  MEMORY_RERANK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Whole address of an endpoint that scores the best hits of a search, such as `http://localhost:8080/rerank`. Its scores count half. Not together with `MEMORY_RERANK_ENABLED`.',
    ),
  MEMORY_RERANK_FORMAT: z
    .enum(['cohere', 'tei'])
    .default('cohere')
    .describe(
      'Form of its requests. `cohere`: Cohere, Jina, vLLM, llama.cpp, Infinity, OpenVINO, LiteLLM. `tei`: Text Embeddings Inference.',
    ),
  MEMORY_RERANK_MODEL: text.optional().describe('Its model, if the endpoint has several.'),
  MEMORY_RERANK_API_KEY: headerSecret.optional().describe('API key of that endpoint.'),
  MEMORY_RERANK_TIMEOUT_MS: whole(100, 60_000)
    .default(3_000)
    .describe('Timeout of one request to that endpoint.'),
  MEMORY_RERANK_CANDIDATE_LIMIT: whole(1, 100)
    .optional()
    .describe(
      'Hits that the model reorders, by default 30, or that the endpoint scores, by default 50. For a request with a higher `limit`, that many.',
    ),
  REPORT_ACTIVITY_DAYS: whole(1, 365)
    .default(90)
    .describe(
      'Days after `observed_at` for which the service keeps activities of Projects. Workers delete older ones.',
    ),
  REPORT_CONCURRENCY: whole(1, 64)
    .default(2)
    .describe(
      'Concurrent reports of a report worker. Each can take memory of up to 16 times `REPORT_OUTPUT_LIMIT_BYTES`.',
    ),
  REPORT_OUTPUT_LIMIT_BYTES: whole(1024, 67_108_864)
    .default(10_485_760)
    .describe('Maximum size of a report. A larger one is 413 `handoff_report_too_large`.'),
  REPORT_MAX_SCOPES: whole(1, 10_000)
    .default(1000)
    .describe('Maximum Scopes of a report that selects Scopes instead of a Project.'),
  REPORT_EVIDENCE_BUDGET_MS: whole(0, 60_000)
    .default(10_000)
    .describe('Maximum time for the evidence checks of one report. With 0, reports check no evidence.'),
  REPORT_RENDERING_TTL_MS: whole(0, 604_800_000)
    .default(86_400_000)
    .describe(
      'Time for which the service returns a stored report again if nothing in it has changed. With 0, it renders each report anew.',
    ),
  REPORT_RENDERING_BYTES: whole(0, 2 ** 40)
    .default(268_435_456)
    .describe(
      'Maximum size of the stored reports of a tenant. Report workers delete the oldest first, at the earliest ten minutes after they were made. The result of an asynchronous job stays for a day in any case.',
    ),
  REMOTE_ENROLLMENT_TTL_MS: milliseconds
    .default(600_000)
    .describe('Validity of the enrollment code of a remote Skill target.'),
  REMOTE_OFFLINE_MS: milliseconds
    .default(300_000)
    .describe(
      'Time without a request of its Receiver after which a remote Skill target is shown as `offline`.',
    ),
  REMOTE_SWEEP_INTERVAL_MS: milliseconds
    .default(30_000)
    .describe('Interval of the search for remote Skill targets whose enrollment code has expired.'),
  REMOTE_REQUIRE_HTTPS: onOff
    .default(false)
    .describe(
      '`on` refuses requests of Receivers without `X-Forwarded-Proto: https`, except requests without this header from the machine of the gateway. Put a proxy that sets the header in front of the gateway.',
    ),
  HANDOFF_GENERATION: onOff
    .default(true)
    .describe('`on` drafts Handoffs, `off` answers 503 `handoff_generation_unavailable`.'),
  EXPERIENCE_GENERATION: onOff
    .default(true)
    .describe('`on` generates Experiences, `off` answers 503 `generation_unavailable`.'),
  EXPERIENCE_INCUBATION: onOff
    .default(false)
    .describe('`on` generates Experience Candidates from task outcomes in the background.'),
  EXPERIENCE_INCUBATION_INTERVAL_MS: milliseconds
    .default(60_000)
    .describe('Interval of the search for new task outcomes.'),
  SKILL_GENERATION: onOff
    .default(true)
    .describe('`on` generates Skills, `off` answers 503 `generation_unavailable`.'),
  EXTERNAL_SKILLS_FILE: text
    .optional()
    .describe(
      'JSON file that lists hosts and their folders of External Skills. All gateways and workers read the same file. Without it, there are no External Skills. See [external Skills](external-skills.md).',
    ),
  EXTERNAL_SKILLS_HOST_ID: text
    .optional()
    .describe(
      'The host of `EXTERNAL_SKILLS_FILE` on which this process runs. Needed only if the file has several hosts. A worker without a host takes no jobs on External Skills.',
    ),
  ...secretFileSettings,
});

export type Settings = z.output<typeof settingsSchema>;
