import { randomBytes } from 'node:crypto';
import { freePort, waitUntil } from '@continuity/testing/servers';
import { type Program, startProgram } from './program.ts';

/** A running service. */
export interface Service {
  urls: string[];
  gateways: Program[];
  /** The worker and the report worker, if they are processes of their own. */
  workers: Program[];
  stop(): Promise<void>;
}

export interface ServiceOptions {
  databaseUrl: string;
  environment?: Record<string, string>;
}

export interface SeparateOptions extends ServiceOptions {
  redisUrl: string;
  gateways?: number;
  /** Program of the gateways: the bundle, unless a module of the source is replaced. */
  gatewayProgram?: string;
}

/** Ends what hangs: on a busy machine, a start takes minutes. */
const readyTimeoutMs = 600_000;

/**
 * Settings of every measured process. Without automatic flushes, no work of one measurement overlaps the next. Reports are not
 * cached, and search is by words unless a measurement needs vectors.
 */
const commonSettings = {
  LOG_LEVEL: 'info',
  MEMORY_AUTO_FLUSH: 'off',
  REPORT_RENDERING_TTL_MS: '0',
  EMBEDDER: 'off',
};

/** Programs that `/health/ready` needs besides the gateway. */
const workerPrograms = ['dist/workers.mjs', 'dist/reports.mjs'];

/** Starts gateways, one worker and one report worker as separate processes, with the queues in Redis. */
export async function startSeparate(options: SeparateOptions): Promise<Service> {
  const { databaseUrl, redisUrl, gateways = 1, gatewayProgram = 'dist/api.mjs' } = options;
  const environment = {
    ...commonSettings,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: `bench-${randomBytes(6).toString('hex')}`,
    ...options.environment,
  };
  const workers = await Promise.all(workerPrograms.map((path) => startProgram(path, environment)));
  const started = await Promise.all(
    Array.from({ length: gateways }, () => startListening(gatewayProgram, environment)),
  );
  return waitForPrograms(started, workers);
}

/** Starts gateway and workers as `npm start` does, with the queues in PostgreSQL. */
export async function startAllInOne({ databaseUrl, environment }: ServiceOptions): Promise<Service> {
  const settings = { ...commonSettings, DATABASE_URL: databaseUrl, ...environment };
  return waitForPrograms([await startListening('dist/local.mjs', settings)], []);
}

/** The built-in embedder as a process of its own. */
export interface Embedder {
  program: Program;
  url: string;
  /** Settings with which a service uses it. */
  settings: Record<string, string>;
}

/** Starts the built-in embedder. */
export async function startEmbedder(): Promise<Embedder> {
  const { url, program } = await startListening('dist/embedder.mjs', { LOG_LEVEL: 'info' });
  await waitUntilReady(url, program);
  return { program, url, settings: { EMBEDDER: 'on', EMBEDDER_URL: url } };
}

interface Listening {
  url: string;
  program: Program;
}

async function startListening(path: string, environment: Record<string, string>): Promise<Listening> {
  const port = await freePort();
  const program = await startProgram(path, { ...environment, PORT: String(port) });
  return { url: `http://127.0.0.1:${port}`, program };
}

async function waitForPrograms(listening: Listening[], others: Program[]): Promise<Service> {
  const gateways = listening.map(({ program }) => program);
  const stop = async () => {
    // The gateways stop first, so that the worker still completes the jobs that they wait for.
    await Promise.all(gateways.map((program) => program.stop()));
    await Promise.all(others.map((program) => program.stop()));
  };
  try {
    await Promise.all(listening.map(({ url, program }) => waitUntilReady(url, program)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { urls: listening.map(({ url }) => url), gateways, workers: others, stop };
}

/** Waits until `/health/ready` reports `ready`, workers included. */
async function waitUntilReady(url: string, program: Program): Promise<void> {
  const isReady = async () => {
    await program.requireAlive();
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer === undefined) return false;
    return ((await answer.json()) as { status: string }).status === 'ready';
  };
  await waitUntil(isReady, { timeoutMs: readyTimeoutMs, what: `${url} is ready` });
}
