import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@continuity/shared/kernel';
import {
  embedAll,
  freePort,
  type InferenceStub,
  type PostgresServer,
  type RedisServer,
  startInferenceStub,
  startPostgres,
  startRedis,
  stubDimension,
  temporaryDirectory,
  waitUntil,
} from '@continuity/testing';
import pg from 'pg';
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
} as const;
export type WorkerName = keyof typeof workerQueues;

export type ProcessName = GatewayName | WorkerName;

/** Few enough that a fault can take all connections, and enough for every process. */
const maxConnections = 90;

/** Time that the model takes for an embedding, so that its jobs take a while. */
const embeddingMs = 20;

/** A whole deployment: each part is a process or a server of its own. */
export interface Deployment {
  postgres: PostgresServer;
  redis: RedisServer;
  processes: Record<ProcessName, ProcessPart>;
  urls: Record<GatewayName, string>;
  /** Connections that no fault ends on purpose. They end when the server does. */
  observer: pg.Pool;
  /** The id under which the live process of a worker is registered. */
  workerId(name: WorkerName): string;
  /** Starts a process and learns its worker's id. */
  startProcess(name: ProcessName): Promise<void>;
  stop(): Promise<void>;
}

/** Name of the observer's sessions. */
export const observerName = 'fault-suite';

export async function startDeployment(): Promise<Deployment> {
  const [postgres, redis, stub, directory, ports] = await Promise.all([
    startPostgres({ settings: { max_connections: String(maxConnections) } }),
    startRedis(),
    startSlowModel(),
    temporaryDirectory('faults'),
    Promise.all(gatewayNames.map(() => freePort())),
  ]);
  await migrate(postgres.url);
  const observer = openObserver(postgres.url);
  const environment = environmentOf(postgres, redis, stub);
  const urls = Object.fromEntries(
    gatewayNames.map((name, index) => [name, `http://127.0.0.1:${ports[index]}`]),
  ) as Deployment['urls'];
  const gateways = gatewayNames.map((name, index) => {
    const own = { ...environment, PORT: String(ports[index]) };
    return new ProcessPart({
      name,
      program: 'services/api/src/main.ts',
      readyLine: 'the gateway listens',
      environment: own,
      directory,
    });
  });
  const workers = Object.entries(workerQueues).map(([name, queue]) => {
    const isReports = queue === 'report-render';
    return new ProcessPart({
      name,
      program: isReports ? 'services/reports/src/main.ts' : 'services/workers/src/main.ts',
      readyLine: 'consume',
      environment: { ...environment, ...(!isReports && { WORKER_QUEUES: queue }) },
      directory,
    });
  });
  const processes = Object.fromEntries(
    [...gateways, ...workers].map((part) => [part.name, part]),
  ) as Deployment['processes'];
  const workerIds = new Map<string, string>();
  const startProcess = async (name: ProcessName) => {
    const before = name in workerQueues ? await registeredWorkers(observer) : [];
    await processes[name].start();
    if (!(name in workerQueues)) return;
    const id = await waitUntil(async () => {
      const registered = await registeredWorkers(observer);
      return registered.find(
        (worker) =>
          worker.queue === workerQueues[name as WorkerName] && !before.some((one) => one.id === worker.id),
      )?.id;
    });
    workerIds.set(name, id);
  };
  // Two of one queue one after the other, so that each learns its own id.
  await Promise.all(
    Object.keys(processes)
      .filter((name) => name !== 'flush-2')
      .map((name) => startProcess(name as ProcessName)),
  );
  await startProcess('flush-2');
  return {
    postgres,
    redis,
    processes,
    urls,
    observer,
    workerId: (name) => workerIds.get(name) ?? '',
    startProcess,
    stop: async () => {
      await Promise.all(Object.values(processes).map((part) => part.kill()));
      await observer.end();
      await Promise.all([postgres.stop(), redis.stop(), stub.close()]);
    },
  };
}

function environmentOf(
  postgres: PostgresServer,
  redis: RedisServer,
  stub: InferenceStub,
): Record<string, string> {
  return {
    LOG_LEVEL: 'info',
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: redis.url,
    MEMORY_AUTO_FLUSH_DEBOUNCE_MS: '2000',
    // Each report is a job.
    REPORT_RENDERING_TTL_MS: '0',
    INFERENCE_BASE_URL: stub.url,
    INFERENCE_EMBEDDING_MODEL: 'stub',
    INFERENCE_EMBEDDING_PROFILE_ID: 'faults',
    INFERENCE_EMBEDDING_DIMENSION: String(stubDimension),
  };
}

async function startSlowModel(): Promise<InferenceStub> {
  const stub = await startInferenceStub();
  stub.embedWith(async (request, index) => {
    await sleep(embeddingMs);
    // The stub keeps what it has received; a long run would fill the memory.
    stub.embeddings.length = 0;
    return await embedAll(request, index);
  });
  return stub;
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

async function registeredWorkers(observer: pg.Pool): Promise<{ id: string; queue: string }[]> {
  const { rows } = await observer.query('SELECT worker_id AS id, queues[1] AS queue FROM workers');
  return rows;
}
