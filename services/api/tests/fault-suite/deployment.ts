import { migrate } from '@continuity/kernel/database';
import {
  clientFor,
  freePort,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
  temporaryDirectory,
  waitUntil,
} from '@continuity/testing';
import pg from 'pg';
import { writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { ProcessPart } from './process-part.ts';

export const gatewayNames = ['gateway-1', 'gateway-2'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** The worker processes, and the queue that each one takes. */
export const workerQueues = {
  'flush-1': 'memory-flush',
  'flush-2': 'memory-flush',
  generation: 'candidate-generation',
  embedding: 'memory-embed',
  reports: 'report-render',
  scan: 'external-skill-scan',
  reconcile: 'remote-reconcile',
} as const;
export type WorkerName = keyof typeof workerQueues;

export type ProcessName = GatewayName | WorkerName | 'embedder';

/** Few enough that a fault can take all connections, and enough for every process. */
const maxConnections = 110;

/** The Skill that writers import, and the number of others in its folder. */
export const importedSkill = 'release-check';
const otherSkills = 40;

/** Limit of the time from the start of all processes until the gateways count every worker. */
const readyMs = 180_000;

/** A whole deployment: each part is a process or a server of its own. */
export interface Deployment {
  postgres: PostgresServer;
  redis: RedisServer;
  processes: Record<ProcessName, ProcessPart>;
  urls: Record<GatewayName, string>;
  /** Connections that no fault ends on purpose. They end when the server does. */
  observer: pg.Pool;
  stop(): Promise<void>;
}

/** Name of the observer's sessions. */
export const observerName = 'fault-suite';

export async function startDeployment(): Promise<Deployment> {
  const [postgres, redis, directory, embedderPort, ports] = await Promise.all([
    startPostgres({ settings: { max_connections: String(maxConnections) } }),
    startRedis(),
    temporaryDirectory('faults'),
    freePort(),
    Promise.all(gatewayNames.map(() => freePort())),
  ]);
  await migrate(postgres.url);
  const observer = openObserver(postgres.url);
  const environment = environmentOf(postgres, redis, embedderPort, await writeSkills());
  const urls = Object.fromEntries(
    gatewayNames.map((name, index) => [name, `http://127.0.0.1:${ports[index]}`]),
  ) as Deployment['urls'];
  const gateways = gatewayNames.map((name, index) => {
    const own = { ...environment, PORT: String(ports[index]) };
    return new ProcessPart({
      name,
      program: 'dist/api.mjs',
      readyLine: 'the gateway listens',
      environment: own,
      directory,
    });
  });
  const workers = Object.entries(workerQueues).map(([name, queue]) => {
    const isReports = queue === 'report-render';
    return new ProcessPart({
      name,
      program: isReports ? 'dist/reports.mjs' : 'dist/workers.mjs',
      readyLine: 'consume',
      environment: { ...environment, ...(!isReports && { WORKER_QUEUES: queue }) },
      directory,
    });
  });
  const embedder = new ProcessPart({
    name: 'embedder',
    program: 'dist/embedder.mjs',
    readyLine: 'the embedder listens',
    environment: { LOG_LEVEL: 'info', PORT: String(embedderPort) },
    directory,
  });
  const processes = Object.fromEntries(
    [...gateways, ...workers, embedder].map((part) => [part.name, part]),
  ) as Deployment['processes'];
  await Promise.all(Object.values(processes).map((part) => part.start()));
  for (const url of Object.values(urls)) {
    const isReady = async () => (await clientFor(url).call('get_readiness')).status === 200;
    await waitUntil(isReady, { timeoutMs: readyMs, what: 'a ready deployment' });
  }
  return {
    postgres,
    redis,
    processes,
    urls,
    observer,
    stop: async () => {
      await Promise.all(Object.values(processes).map((part) => part.kill()));
      await observer.end();
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

function environmentOf(
  postgres: PostgresServer,
  redis: RedisServer,
  embedderPort: number,
  skillsFile: string,
): Record<string, string> {
  return {
    LOG_LEVEL: 'info',
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: redis.url,
    MEMORY_AUTO_FLUSH_DEBOUNCE_MS: '2000',
    // Each report is a job.
    REPORT_RENDERING_TTL_MS: '0',
    EXTERNAL_SKILLS_FILE: skillsFile,
    EMBEDDER_URL: `http://127.0.0.1:${embedderPort}`,
  };
}

/** Writes a folder of Skills that takes a while to scan. Returns the path of the `EXTERNAL_SKILLS_FILE` that names it. */
async function writeSkills(): Promise<string> {
  const path = await temporaryDirectory('fault-skills');
  await writeSkill(path, importedSkill);
  for (let index = 0; index < otherSkills; index += 1) await writeSkill(path, `other-${index}`);
  return await writeSkillHosts({ workstation: [{ path }] });
}

function openObserver(url: string): pg.Pool {
  const observer = new pg.Pool({
    connectionString: url,
    max: 2,
    idleTimeoutMillis: 0,
    application_name: observerName,
  });
  // The next query connects again.
  observer.on('error', () => undefined);
  return observer;
}
