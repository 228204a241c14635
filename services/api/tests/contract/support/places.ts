import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exampleRegistration } from '@continuity/contract/external-skills';
import { operationTable } from '@continuity/contract/operations';
import { loadSettings } from '@continuity/kernel/config';
import { migrate } from '@continuity/kernel/database';
import { type Client, clientFor, startInferenceStub, startPostgres } from '@continuity/testing';
import pg from 'pg';
import { startIdleWorker } from '../../support/idle-worker.ts';
import {
  type ServiceOptions,
  startService as startBareService,
  startTestGateway,
} from '../../support/service.ts';
import { externalSkills } from './external-skills.ts';

/** A running service in one condition, in which some answers can be had. */
export interface Place extends Client {
  stop(): Promise<void>;
}

export const token = 'a-token-for-the-contract-tests';
export const bodyLimit = 1024;
/** A credential that the place `limited` knows, and no other one. */
export const plantedCredential = `skt_${'0'.repeat(32)}.${'A'.repeat(43)}`;

/** Starts a service with the External Skill of the examples. */
function startService({ environment, ...options }: ServiceOptions = {}) {
  return startBareService({ ...options, environment: { ...externalSkills, ...environment } });
}

/** Nothing listens on the discard port. */
const nowhere = '127.0.0.1:9';

const builders = {
  usual: () => startWithJobs({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } }),

  guarded: () => startService({ environment: { AUTH_TOKEN: token, BODY_LIMIT_BYTES: String(bodyLimit) } }),

  // Each time that somebody looks, an hour has passed.
  whereTimeFlies: () => {
    let now = Date.now();
    const next = () => {
      now += 3_600_000;
      return new Date(now);
    };
    return startService({ clock: { now: next } });
  },

  starting: () => startOnDatabase(`postgresql://nobody@${nowhere}/nothing`),

  withoutDatabase: async () => {
    const postgres = await startPostgres({ durable: false });
    await migrate(postgres.url);
    const place = await startOnDatabase(postgres.url, { ready: true });
    await postgres.stop();
    return place;
  },

  broken: async () => {
    const service = await startService();
    // Without `tenants`, the database would count as another one, which is 503.
    await runSql(
      service.databaseUrl,
      `DO $$ DECLARE one regclass; BEGIN
         FOR one IN SELECT oid FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'tenants'
         LOOP EXECUTE format('DROP TABLE IF EXISTS %s CASCADE', one); END LOOP;
       END $$`,
    );
    return service;
  },

  withoutWorkers: () => startWithJobs(),

  withoutSkillHosts: () => startBareService(),

  withoutQueue: () => startWithIdleWorker({ REDIS_URL: `redis://${nowhere}` }),

  withoutQueueAndWorkers: () => startService({ environment: { REDIS_URL: `redis://${nowhere}` } }),

  withoutPatience: () => startWithIdleWorker({ JOB_WAIT_MS: '100' }),

  withIdleWorkers: () => startWithIdleWorker({}),

  withoutModel: () => startWithModel(`http://${nowhere}`),

  withSlowModel: async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const service = await startWithModel(`http://127.0.0.1:${port}`);
    const stop = async () => {
      await service.stop();
      silent.closeAllConnections();
      silent.close();
    };
    return { ...service, stop };
  },

  withUselessModel: async () => {
    const stub = await startInferenceStub();
    stub.respondWith(() => ({ content: 'No draft today.' }));
    const service = await startWithModel(stub.url.replace(/\/v1$/, ''));
    const stop = async () => {
      await service.stop();
      await stub.close();
    };
    return { ...service, stop };
  },

  limited: async () => {
    const service = await startService({ environment: { RATE_LIMIT_PER_MINUTE: '1' } });
    // Its one request is not spent on a target.
    await runSql(
      service.databaseUrl,
      `INSERT INTO remote_skill_targets
         (tenant_id, scope_key, target_id, display_name, agent_kind, state, enrollment_expires_at, credential_hash)
       SELECT tenant_id, scope_key, 'codex-1', 'limited', 'codex', 'active', now(),
         encode(sha256('${plantedCredential}'), 'hex') FROM scopes`,
    );
    return service;
  },

  // The wildcard address leads to this machine, and is no loopback name.
  underOtherName: async () => {
    const service = await startService();
    return { ...service, ...clientFor(service.url.replace('127.0.0.1', '0.0.0.0')) };
  },

  /** Nothing but the smallest reports fits. */
  withSmallReports: () =>
    startService({
      workers: true,
      environment: { MEMORY_AUTO_FLUSH: 'off', REPORT_OUTPUT_LIMIT_BYTES: '1024' },
    }),

  withHttpsOnly: () => startService({ environment: { REMOTE_REQUIRE_HTTPS: 'on' } }),

  withoutGeneration: () =>
    startService({
      environment: { HANDOFF_GENERATION: 'off', EXPERIENCE_GENERATION: 'off', SKILL_GENERATION: 'off' },
    }),
} satisfies Record<string, () => Promise<Place>>;

/** A job that has failed, in the places where jobs are retried. */
export const failedJob = '019a9f40-6c00-7000-8000-000000000002';

/** With jobs that have ended: `failedJob`, and the one of the examples, which was cancelled. */
async function startWithJobs(options?: ServiceOptions) {
  const service = await startService(options);
  await plantJobs(service.databaseUrl);
  return service;
}

/** Adds these jobs to the tenant `default`. */
export async function plantJobs(databaseUrl: string): Promise<void> {
  const [example] = operationTable.cancel_job.examples;
  await runSql(
    databaseUrl,
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, finished_at)
     SELECT tenant_id, job_id::uuid, 'memory-flush', 'flush_memory', job_id, '{"scope_id":"project-alpha"}', status, now()
     FROM tenants, (VALUES ('${failedJob}', 'failed'), ('${example.parameters.job_id}', 'cancelled')) AS job (job_id, status)
     WHERE name = 'default'`,
  );
}

/** With jobs that have ended, and a worker that is heard of and takes nothing. */
async function startWithIdleWorker(environment: Record<string, string>) {
  const service = await startWithJobs({ environment });
  const worker = await startIdleWorker(service.databaseUrl, exampleRegistration.host_id);
  const stop = async () => {
    await worker.stop();
    await service.stop();
  };
  return { ...service, stop };
}

export type PlaceName = keyof typeof builders;

/** The services of a test file, each started on first use. */
export class Places {
  readonly #started = new Map<PlaceName, Promise<Place>>();

  get(name: PlaceName): Promise<Place> {
    const known = this.#started.get(name);
    if (known !== undefined) return known;
    const place: Promise<Place> = builders[name]();
    this.#started.set(name, place);
    return place;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#started.values()].map(async (place) => (await place).stop()));
  }
}

function startWithModel(baseUrl: string) {
  return startService({
    workers: true,
    environment: {
      MEMORY_AUTO_FLUSH: 'off',
      INFERENCE_GENERATION_MODEL: 'test',
      INFERENCE_BASE_URL: `${baseUrl}/v1`,
      INFERENCE_GENERATION_TIMEOUT_MS: '200',
      INFERENCE_GENERATION_MAX_REQUESTS: '1',
    },
  });
}

async function startOnDatabase(url: string, { ready = false } = {}): Promise<Place> {
  const settings = loadSettings({ ...externalSkills, PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: url });
  const gateway = await startTestGateway(settings);
  if (ready) await gateway.ready;
  return { ...clientFor(gateway.url), stop: () => gateway.stop() };
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
