import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@continuity/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  type Deployment,
  type GatewayName,
  gatewayNames,
  observerName,
  type ProcessName,
  type WorkerName,
  workerQueues,
} from './deployment.ts';
import { type Exchange, isWrite, type Ledger } from './ledger.ts';

export type PartName = ProcessName | 'postgres' | 'redis';

/** The deployment under test, and the record of its load. */
export interface Ground {
  deployment: Deployment;
  ledger: Ledger;
}

/** Work that was under way when the fault began. A fault fails if there is none. */
export type Bite = string;

const isGateway = (part: PartName): part is GatewayName => (gatewayNames as readonly string[]).includes(part);
const isWorker = (part: PartName): part is WorkerName => part in workerQueues;

/** Limit of the wait for a moment at which the part is busy. */
const busyMs = 60_000;

/** Time in which answers arrive that a process had sent before it froze. */
const deliveryMs = 30;

/**
 * Freezes a part while it has work under way. Returns this work: requests of a gateway or a store, jobs of a worker. Wakes
 * the part and tries again if it has none.
 */
export async function freezeWhileBusy(ground: Ground, part: PartName): Promise<Bite> {
  const handle = handleOf(ground.deployment, part);
  return await waitUntil(
    async () => {
      await handle.freeze();
      const bite = await findWork(ground, part);
      if (bite !== undefined) return bite;
      await handle.wake();
      await sleep(Math.random() * deliveryMs);
      return undefined;
    },
    { timeoutMs: busyMs, intervalMs: 0, what: `${part} at work` },
  );
}

const waitForWork = (ground: Ground, part: PartName): Promise<Bite> =>
  waitUntil(() => findWork(ground, part), { timeoutMs: busyMs, what: `${part} at work` });

async function findWork({ deployment, ledger }: Ground, part: PartName): Promise<Bite | undefined> {
  // Only the jobs of this worker use the embedder.
  const worker = part === 'embedder' ? 'embedding' : part;
  if (isWorker(worker)) {
    const { rows } = await deployment.observer.query(
      "SELECT operation FROM jobs WHERE status = 'running' AND worker_id = $1",
      [deployment.processes[worker].workerId()],
    );
    return rows.length === 0 ? undefined : count(rows.length, 'running job');
  }
  await sleep(deliveryMs);
  const requests = [...ledger.underWay].filter(
    (exchange) =>
      isWrite(exchange) &&
      (isGateway(part) ? exchange.gateway === part : part === 'postgres' || needsQueue(exchange)),
  );
  return requests.length === 0 ? undefined : count(requests.length, 'request');
}

const queuedKinds: readonly Exchange['kind'][] = [
  'flush',
  'generate',
  'report',
  'scan',
  'import',
  'reconcile',
];
const needsQueue = ({ kind }: Exchange) => queuedKinds.includes(kind);

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** How to freeze and wake a part. */
export function handleOf(deployment: Deployment, part: PartName) {
  if (part === 'postgres' || part === 'redis') return deployment[part];
  return deployment.processes[part];
}

/** Kills a part that `freezeWhileBusy` has frozen. */
export async function kill({ deployment, ledger }: Ground, part: PartName): Promise<void> {
  if (isGateway(part)) ledger.killed(part);
  await handleOf(deployment, part).kill();
}

/** Starts a part again. Resolves when it serves. */
export async function startAgain({ deployment, ledger }: Ground, part: PartName): Promise<void> {
  if (part === 'postgres' || part === 'redis') await deployment[part].start();
  else await deployment.processes[part].start();
  if (isGateway(part)) ledger.cameBack(part);
}

/** Ends all sessions of the service while some of them run statements. */
export async function terminateSessions({ deployment }: Ground): Promise<Bite> {
  return await waitUntil(
    async () => {
      const { rows } = await deployment.observer.query<{ ended: number; active: number }>(
        `WITH sessions AS (
           SELECT pid, state IN ('active', 'idle in transaction') AS is_active FROM pg_stat_activity
           WHERE datname = current_database() AND application_name <> $1 AND pid <> pg_backend_pid()
         ), busy AS (SELECT count(*)::int AS active FROM sessions WHERE is_active)
         SELECT active, (SELECT count(pg_terminate_backend(pid))::int FROM sessions) AS ended FROM busy WHERE active > 0`,
        [observerName],
      );
      return rows[0] && `${count(rows[0].ended, 'session')}, ${rows[0].active} of them active`;
    },
    { timeoutMs: busyMs, intervalMs: 5, what: 'an active session' },
  );
}

/** Ends all connections to Redis while requests wait for jobs. */
export async function killRedisClients(ground: Ground): Promise<Bite> {
  await waitForWork(ground, 'redis');
  return await withRedis(ground, async (redis) => {
    const killed = Number(await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'));
    if (killed === 0) throw new Error('Redis had no client.');
    return count(killed, 'connection');
  });
}

/** Fills Redis while requests wait for jobs: it refuses writes until `makeRoom`. */
export async function fillRedis(ground: Ground): Promise<Bite> {
  return await withRedis(ground, async (redis) => {
    const bite = await waitForWork(ground, 'redis');
    await redis.config('SET', 'maxmemory', '1');
    const refusal = await redis.set('fault-suite', 'full').catch((error: Error) => error.message);
    if (refusal?.startsWith('OOM') !== true) throw new Error(`Redis accepted a write: ${refusal}`);
    return bite;
  });
}

export async function makeRoom(ground: Ground): Promise<void> {
  await withRedis(ground, (redis) => redis.config('SET', 'maxmemory', '0'));
}

async function withRedis<T>({ deployment }: Ground, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(deployment.redis.url);
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Takes every connection that PostgreSQL has, those of the service included, and keeps them for `holdMs`. */
export async function takeAllConnections(ground: Ground, holdMs: number): Promise<Bite> {
  // The observer has lost its sessions if the server was killed before, and could not open one later.
  await ground.deployment.observer.query('SELECT');
  const taken: pg.Client[] = [];
  let refusals = 0;
  let isOver = false;
  const take = async () => {
    while (!isOver) {
      const client = new pg.Client({
        connectionString: ground.deployment.postgres.url,
        application_name: observerName,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        taken.push(client);
      } catch (error) {
        if ((error as { code?: string }).code !== '53300') throw error;
        refusals += 1;
        await sleep(20);
      }
    }
  };
  const taking = Promise.all(Array.from({ length: 8 }, take));
  try {
    await waitUntil(() => refusals > 0, { timeoutMs: busyMs, what: 'too many connections' });
    await terminateSessions(ground);
    await sleep(holdMs);
  } finally {
    isOver = true;
    await taking;
    await Promise.all(taken.map((client) => client.end()));
  }
  return count(taken.length, 'connection');
}

/**
 * Makes the database's clock jump by `offsetMs`, as leases see it: the times that the service compares with that clock move the
 * other way. A jump of the real clock would hit every program of the machine.
 */
export async function shiftDatabaseClock({ deployment }: Ground, offsetMs: number): Promise<Bite> {
  const offset = `interval '${offsetMs} milliseconds'`;
  return await waitUntil(
    async () => {
      const { rows } = await deployment.observer.query<{ leases: number; jobs: number }>(
        `WITH shifted_jobs AS (
           UPDATE jobs SET started_at = started_at - ${offset}, enqueued_at = enqueued_at - ${offset}
           WHERE status IN ('queued', 'running') RETURNING 1
         ), shifted_workers AS (
           UPDATE workers SET seen_at = seen_at - ${offset} WHERE EXISTS (SELECT FROM shifted_jobs) RETURNING 1
         )
         SELECT (SELECT count(*)::int FROM shifted_workers) AS leases, (SELECT count(*)::int FROM shifted_jobs) AS jobs`,
      );
      const [shifted] = rows;
      if (shifted === undefined || shifted.leases === 0) return undefined;
      return `${count(shifted.leases, 'lease')}, ${count(shifted.jobs, 'job')}`;
    },
    { timeoutMs: busyMs, intervalMs: 5, what: 'a lease and a job that has not ended' },
  );
}
