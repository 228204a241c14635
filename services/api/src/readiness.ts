import { isHostQueue, type QueueName, queueNames } from '@continuity/contract';
import { isReadOnlyServer, readOnlySql } from '@continuity/kernel/database';
import { TimeLimitError, withTimeLimit } from '@continuity/kernel/process';
import type { Check, ModelCheck } from './models.ts';
import type { Runtime } from './runtime.ts';
import type { GatewayServer, Servers } from './servers.ts';

/** Time limit of the probe of a store, so that readiness answers within 2 s while a store hangs. */
const storeProbeMs = 1_500;

const failedEmbedderReason =
  'The built-in embedder did not start, so search is by words only. The log of the service says why.';

interface Readiness {
  status: 'ready' | 'degraded' | 'not_ready';
  checks: Record<string, Check>;
  /** Why a model is not ready, or not there, by the name of its check. Absent if there is nothing to say. */
  reasons?: Record<string, string>;
}

/** The models that readiness checks if they are configured; else null. */
interface ConfiguredModels {
  generation: ModelCheck | null;
  embedding: { check: ModelCheck } | null;
  /** Whether the built-in embedder did not start, so that there is no `embedding`. */
  hasFailedEmbedder?: boolean;
}

/** What the probes of one database server found. */
interface ProbedServer {
  name: string | null;
  database: Check;
  queue: Check;
  workers: ReadonlySet<QueueName> | 'unavailable' | 'timeout';
  refusal: string | null;
}

/**
 * Probes all dependencies concurrently. Runtime and database decide readiness; the others only degrade it. With several database servers:
 *
 * - `database` is `ready` if one of them is, else the check of the first; `database.<name>` is that of each.
 * - `directory` is `ready` if each tenant has a server with its last state.
 * - `queue` and `worker.<queue>` are the worst of the servers that answer.
 */
export async function readReadiness(
  servers: Servers,
  { generation, embedding, hasFailedEmbedder = false }: ConfiguredModels,
): Promise<Readiness> {
  const [probed, generationCheck, embeddingCheck] = await Promise.all([
    Promise.all(servers.all.map(probeServer)),
    generation?.read(),
    embedding?.check.read(),
  ]);
  const ready = probed.filter(({ database }) => database === 'ready');
  const answering = ready.length > 0 ? ready : probed;
  const checks: Record<string, Check> = {
    runtime: servers.isReady ? 'ready' : 'not_ready',
    database: answering[0]?.database ?? 'unavailable',
    queue: worstOf(answering.map(({ queue }) => queue)),
  };
  for (const { name, database } of probed) if (name !== null) checks[`database.${name}`] = database;
  if (servers.hasPlacedAll !== undefined)
    checks['directory'] = servers.hasPlacedAll ? 'ready' : 'unavailable';
  // Queues without jobs need no worker: embedding without a model, and remote Skills without a host.
  const isUsed = (name: QueueName) =>
    isHostQueue(name) ? servers.hasSkillHosts : name !== 'memory-embed' || embedding !== null;
  for (const name of queueNames.filter(isUsed))
    checks[`worker.${name}`] = worstOf(answering.map(({ workers }) => workerCheck(workers, name)));
  // A missing embedder adds a reason, but no check: search by words works without it.
  const reasons = missingEmbedder(embedding, hasFailedEmbedder);
  const addModel = (name: string, check: Check | undefined, reason: string | null | undefined) => {
    if (check === undefined) return;
    checks[name] = check;
    if (check !== 'ready' && reason) reasons[name] = reason;
  };
  const refusal = answering.map((server) => server.refusal).find((reason) => reason !== null);
  if (generationCheck === 'ready' && refusal != null)
    addModel('inference.generation', 'misconfigured', refusal);
  else addModel('inference.generation', generationCheck, generation?.reason);
  addModel('inference.embedding', embeddingCheck, embedding?.check.reason);
  return readinessOf(checks, reasons);
}

function missingEmbedder(embedding: object | null, hasFailed: boolean): Record<string, string> {
  return hasFailed && embedding === null ? { 'inference.embedding': failedEmbedderReason } : {};
}

function readinessOf(checks: Record<string, Check>, reasons: Record<string, string>): Readiness {
  const said = Object.keys(reasons).length > 0 && { reasons };
  return { status: summarize(checks), checks, ...said };
}

async function probeServer({ name, runtime, queue }: GatewayServer): Promise<ProbedServer> {
  const [database, queueCheck, workers, models] = await Promise.all([
    answerOf(checkDatabase(runtime, name !== null)),
    answerOf(queue.checkStore()),
    answerOf(queue.liveQueues()),
    answerOf(queue.liveModels()),
  ]);
  const refusal = typeof models === 'string' ? null : models.refusal;
  return { name, database, queue: queueCheck, workers, refusal };
}

function workerCheck(workers: ProbedServer['workers'], name: QueueName): Check {
  if (typeof workers === 'string') return workers;
  return workers.has(name) ? 'ready' : 'unavailable';
}

/** The first check that is not ready, if any. */
function worstOf(checks: readonly Check[]): Check {
  return checks.find((check) => check !== 'ready') ?? 'ready';
}

function summarize(checks: Record<string, Check>): Readiness['status'] {
  if (checks['runtime'] !== 'ready' || checks['database'] !== 'ready') return 'not_ready';
  return Object.values(checks).every((check) => check === 'ready') ? 'ready' : 'degraded';
}

/**
 * A database that has lost its last commits serves once the gateway has looked up its tenants again. One of several servers serves once the
 * gateway has looked up its tenants for the first time.
 */
async function checkDatabase(runtime: Runtime, isOneOfSeveral: boolean): Promise<Check> {
  try {
    const { rows } = await runtime.database.pool.query(`SELECT ${readOnlySql} AS is_read_only`);
    // A pooler may lead to a standby.
    if (rows[0]?.is_read_only === true) return 'read_only';
  } catch (error) {
    if (isReadOnlyServer(error)) return 'read_only';
    throw error;
  }
  if (runtime.isCurrent) return 'ready';
  return runtime.isReady || isOneOfSeveral ? 'unavailable' : 'ready';
}

/** The result of a probe: `unavailable` if it fails, `timeout` if it takes too long. */
async function answerOf<T>(probe: Promise<T>): Promise<T | 'unavailable' | 'timeout'> {
  // The log of the failing request or job contains the cause.
  return await withTimeLimit(probe, storeProbeMs).catch((error) =>
    error instanceof TimeLimitError ? 'timeout' : 'unavailable',
  );
}
