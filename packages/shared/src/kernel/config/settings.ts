import { homedir } from 'node:os';
import { join } from 'node:path';
import { queueNames } from '@continuity/contract';
import { z } from 'zod';

/** Every setting of every process: one environment variable each, described once. */
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const milliseconds = whole(100, 3_600_000);
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const secretUrl = z.url();
const queueList = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
  .pipe(z.array(z.enum(queueNames)));

export const settingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address that the gateway listens on.'),
  PORT: whole(0, 65_535).default(8000).describe('Port that the gateway listens on; 0 takes a free one.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default(join(homedir(), '.local', 'share', 'continuity'))
    .describe('Where the all-in-one service keeps its embedded PostgreSQL.'),
  DATABASE_URL: secretUrl
    .optional()
    .describe('PostgreSQL. Needed by each separate service; without it the all-in-one service runs its own.'),
  DATABASE_POOL_SIZE: whole(1, 200).default(10).describe('Connections to PostgreSQL of one process.'),
  REDIS_URL: secretUrl
    .optional()
    .describe('Redis for the queues. Without it the queues are kept in PostgreSQL.'),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9_-]{1,32}$/)
    .default('continuity')
    .describe('Prefix of the queue keys, so that deployments can share one Redis.'),
  AUTH_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('One bearer token, of the tenant `default`. Without any token there is no authentication.'),
  AUTH_TOKENS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON file of hashed tokens, each bound to a tenant. See the guide to authentication.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OpenTelemetry collector (OTLP over HTTP). Without it nothing is traced or exported.'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe('Service name in telemetry; the name of the process when left out.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of the traces that are kept.'),
  BODY_LIMIT_BYTES: whole(1024, 67_108_864).default(8_388_608).describe('Largest request body.'),
  RATE_LIMIT_PER_MINUTE: whole(1, 10_000_000)
    .optional()
    .describe('Requests a minute and tenant that one gateway process accepts. No limit when left out.'),
  JOB_WAIT_MS: milliseconds
    .default(30_000)
    .describe('How long a queued operation waits for its worker before it answers 503 `job_timeout`.'),
  SHUTDOWN_GRACE_MS: milliseconds
    .default(20_000)
    .describe('How long requests and jobs may take to end after SIGTERM.'),
  WORKER_CONCURRENCY: whole(1, 256)
    .default(8)
    .describe('Jobs that one worker process runs side by side, for each queue.'),
  WORKER_QUEUES: queueList
    .default([...queueNames])
    .describe(
      'Queues that a worker process takes from, with commas between them, so that each kind of work can be scaled by itself.',
    ),
  MEMORY_SOURCE_WINDOW_LIMIT: whole(1, 1000).default(100).describe('Most Sources that one flush takes.'),
  MEMORY_EXTRACTION_PROFILE: z
    .enum(['coding', 'conversation'])
    .default('coding')
    .describe('What extraction keeps.'),
  MEMORY_AUTO_FLUSH: onOff
    .default(true)
    .describe('`on` flushes by itself after captures, `off` on request only.'),
  MEMORY_AUTO_FLUSH_DEBOUNCE_MS: milliseconds
    .default(10_000)
    .describe('Quiet time after the last capture before a background flush.'),
  MEMORY_AUTO_FLUSH_MAX_DELAY_MS: milliseconds
    .default(60_000)
    .describe('Longest time that a captured Source waits for its background flush.'),
  MEMORY_SWEEP_INTERVAL_MS: milliseconds
    .default(60_000)
    .describe('How often Scopes with forgotten pending Sources are looked for.'),
  RECALL_ESTIMATION: onOff
    .default(true)
    .describe('`on` estimates the tokens that prepared contexts stand for, `off` counts the contexts alone.'),
  INFERENCE_GENERATION_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe('Model that extracts Memory and drafts Handoffs. Without one the built-in rules do.'),
  INFERENCE_BASE_URL: z
    .url()
    .optional()
    .describe('OpenAI-compatible endpoint of the model, up to and with its version (`https://host/v1`).'),
  INFERENCE_API_KEY: z.string().min(1).optional().describe('Key for that endpoint.'),
  INFERENCE_GENERATION_TIMEOUT_MS: milliseconds.default(30_000).describe('Time limit of one model request.'),
  INFERENCE_GENERATION_MAX_REQUESTS: whole(1, 10)
    .default(2)
    .describe(
      'Requests to the model for one extraction, retries included, and for one draft that the endpoint does not answer.',
    ),
  INFERENCE_EMBEDDING_MODEL: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Model that embeds entries and queries, for search by meaning. Set together with the next two.',
    ),
  INFERENCE_EMBEDDING_PROFILE_ID: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe(
      'Your name for the vectors of that model. Another name, model or dimension embeds all entries again, in the background.',
    ),
  INFERENCE_EMBEDDING_DIMENSION: whole(1, 16_000).optional().describe('Length of its vectors.'),
  INFERENCE_EMBEDDING_BASE_URL: z
    .url()
    .optional()
    .describe(
      'OpenAI-compatible endpoint of the embedding model, where it is not that of `INFERENCE_BASE_URL`.',
    ),
  INFERENCE_EMBEDDING_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Key for that endpoint. `INFERENCE_API_KEY` is sent to `INFERENCE_BASE_URL` alone.'),
  INFERENCE_EMBEDDING_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe('Time limit of one embedding request.'),
  INFERENCE_EMBEDDING_BATCH_SIZE: whole(1, 2048)
    .default(64)
    .describe('Most entries that one embedding request holds.'),
  MEMORY_RERANK_ENABLED: onOff
    .default(false)
    .describe('`on` lets the generation model put the best hits of a search in order.'),
  MEMORY_RERANK_CANDIDATE_LIMIT: whole(1, 100)
    .default(30)
    .describe('Most hits that the model puts in order, where the request wants no more.'),
  HANDOFF_GENERATION: onOff
    .default(true)
    .describe('`on` drafts Handoffs, `off` answers 503 `handoff_generation_unavailable` instead.'),
});

export type Settings = z.output<typeof settingsSchema>;

/** Variables whose values are secrets, or hold one. They never appear in a log or an error. */
export const secretSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  'AUTH_TOKEN',
  'INFERENCE_API_KEY',
  'INFERENCE_EMBEDDING_API_KEY',
] as const satisfies (keyof Settings)[];
