import { isHostQueue, type QueueName, queueNames } from '@continuity/contract';
import { isReadOnlyServer, readOnlySql } from '@continuity/kernel/database';
import { TimeLimitError, withTimeLimit } from '@continuity/kernel/process';
import type { LiveModels } from '@continuity/shared/jobs';
import type { Check, ModelCheck } from './models.ts';
import type { Runtime } from './runtime.ts';

/** Time limit of the probe of a store, so that readiness answers within 2 s while a store hangs. */
const storeProbeMs = 1_500;

interface Readiness {
  status: 'ready' | 'degraded' | 'not_ready';
  checks: Record<string, Check>;
  /** Why a model is not ready, by the name of its check. Absent if there is nothing to say. */
  reasons?: Record<string, string>;
}

/** Readiness checks of the queue. */
export interface QueueProbes {
  checkStore(): Promise<Check>;
  /** Queues with a live worker. */
  liveQueues(): Promise<ReadonlySet<QueueName>>;
  /** What live workers say of their generation model. */
  liveModels(): Promise<LiveModels>;
}

/** The optional parts. Readiness checks only configured ones. */
interface ConfiguredProbes {
  /** The models; null if not configured. */
  generation: ModelCheck | null;
  embedding: { check: ModelCheck } | null;
  /** Whether a host of External Skills is configured. */
  hasSkillHosts: boolean;
}

/** Probes all dependencies concurrently. Runtime and database decide readiness; the others only degrade it. */
export async function readReadiness(
  runtime: Runtime,
  queue: QueueProbes,
  { generation, embedding, hasSkillHosts }: ConfiguredProbes,
): Promise<Readiness> {
  const [databaseCheck, queueCheck, workers, models, generationCheck, embeddingCheck] = await Promise.all([
    answerOf(checkDatabase(runtime)),
    answerOf(queue.checkStore()),
    answerOf(queue.liveQueues()),
    answerOf(queue.liveModels()),
    generation?.read(),
    embedding?.check.read(),
  ]);
  const refusal = typeof models === 'string' ? null : models.refusal;
  const checkWorker = (name: QueueName): Check => {
    if (typeof workers === 'string') return workers;
    return workers.has(name) ? 'ready' : 'unavailable';
  };
  const checks: Record<string, Check> = {
    runtime: runtime.isReady ? 'ready' : 'not_ready',
    database: databaseCheck,
    queue: queueCheck,
  };
  for (const name of queueNames) {
    // Without a model, or without a host, these queues stay empty.
    if (name === 'memory-embed' && embedding === null) continue;
    if (isHostQueue(name) && !hasSkillHosts) continue;
    checks[`worker.${name}`] = checkWorker(name);
  }
  const reasons: Record<string, string> = {};
  const addModel = (name: string, check: Check, reason: string | null | undefined) => {
    checks[name] = check;
    if (check !== 'ready' && reason) reasons[name] = reason;
  };
  if (generationCheck === 'ready' && refusal !== null)
    addModel('inference.generation', 'misconfigured', refusal);
  else if (generationCheck !== undefined)
    addModel('inference.generation', generationCheck, generation?.reason);
  if (embeddingCheck !== undefined) addModel('inference.embedding', embeddingCheck, embedding?.check.reason);
  const said = Object.keys(reasons).length > 0 && { reasons };
  return { status: summarize(checks), checks, ...said };
}

function summarize(checks: Record<string, Check>): Readiness['status'] {
  if (checks['runtime'] !== 'ready' || checks['database'] !== 'ready') return 'not_ready';
  return Object.values(checks).every((check) => check === 'ready') ? 'ready' : 'degraded';
}

/** A database that has lost its last commits serves once the gateway has looked up its tenants again. */
async function checkDatabase(runtime: Runtime): Promise<Check> {
  try {
    const { rows } = await runtime.database.pool.query(`SELECT ${readOnlySql} AS is_read_only`);
    // A pooler may lead to a standby.
    if (rows[0]?.is_read_only === true) return 'read_only';
  } catch (error) {
    if (isReadOnlyServer(error)) return 'read_only';
    throw error;
  }
  return runtime.isCurrent || !runtime.isReady ? 'ready' : 'unavailable';
}

/** The result of a probe: `unavailable` if it fails, `timeout` if it takes too long. */
async function answerOf<T>(probe: Promise<T>): Promise<T | 'unavailable' | 'timeout'> {
  // The log of the failing request or job contains the cause.
  return await withTimeLimit(probe, storeProbeMs).catch((error) =>
    error instanceof TimeLimitError ? 'timeout' : 'unavailable',
  );
}
