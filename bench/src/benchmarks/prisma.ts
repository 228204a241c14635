import type { ExperienceContent } from '@continuity/contract/experience';
import { type Database, openDatabase, type TenantId } from '@continuity/kernel/database';
import { systemClock } from '@continuity/kernel/process';
import { artifactHandlers } from '@continuity/shared/artifacts';
import { families } from '@continuity/shared/families';
import { CursorCodec } from '@continuity/shared/handlers';
import { defaultTenant, ensureTenant } from '@continuity/shared/tenants';
import type { Benchmark, Finding, Throughput } from '../benchmark.ts';
import { makeExperience } from '../data/experiences.ts';
import { type Random, seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { createWithStatements } from '../load/create-with-statements.ts';
import { type Latency, openHistogram, readLatency, recordMs } from '../load/latency.ts';
import { median } from '../report/median.ts';

const connectionCounts = [1, 32];
/** Writers of one Scope wait for one another, so the Creates are spread over many. */
const scopes = 200;
const sides = ['Prisma Client', 'named statements'] as const;
type Side = (typeof sides)[number];

type Create = (scopeId: string, content: ExperienceContent) => Promise<unknown>;
type Result = Latency & { perSecond: number };

export const prisma: Benchmark = {
  name: 'prisma',
  summary: 'Create of an Experience through Prisma Client and through named statements alone',
  run: async ({ servers, isQuick, log }) => {
    const own = await servers.createDatabase();
    const database = openDatabase({
      url: own.url,
      size: Math.max(...connectionCounts),
      name: 'bench-prisma',
      onIdleError: () => undefined,
    });
    try {
      const tenantId = await ensureTenant(database, defaultTenant);
      const creates = { 'Prisma Client': throughPrisma, 'named statements': throughStatements };
      const random = seededRandom(59);
      const timing = isQuick ? { roundMs: 50, rounds: 1 } : { roundMs: 2_000, rounds: 5 };
      const throughputs: Throughput[] = [];
      const findings: Finding[] = [];
      for (const connections of connectionCounts) {
        log(`prisma: ${connections} at once`);
        const results: Record<Side, Result[]> = { 'Prisma Client': [], 'named statements': [] };
        for (let round = 0; round <= timing.rounds; round += 1) {
          for (const side of sides) {
            const create: Create = (scopeId, content) => creates[side](database, tenantId, scopeId, content);
            const result = await measure(create, random, connections, timing.roundMs);
            // The first round is the warm-up.
            if (round > 0) results[side].push(result);
          }
        }
        throughputs.push(...sides.map((side) => rowOf(side, connections, results[side])));
        findings.push(ratioOf(connections, results));
      }
      return { throughputs, findings };
    } finally {
      await database.close();
      await own.drop();
    }
  },
};

/** Runs the handler of the service, without HTTP. */
async function throughPrisma(
  database: Database,
  tenantId: TenantId,
  scopeId: string,
  content: ExperienceContent,
): Promise<void> {
  const deps = { database, cursors, clock: systemClock, families };
  const { signal } = new AbortController();
  const caller = { tenantId, epoch: undefined, signal, actor: null, respondAsync: false };
  const body = { family: 'experience' as const, content };
  await artifactHandlers.create_artifact(deps, caller, {
    params: { scope_id: scopeId },
    query: undefined,
    headers: { 'idempotency-key': undefined },
    body,
  });
}

const cursors = new CursorCodec(Buffer.alloc(32));
const throughStatements = createWithStatements;

/** Runs a closed loop on each connection until the time is up. */
async function measure(
  create: Create,
  random: Random,
  connections: number,
  roundMs: number,
): Promise<Result> {
  const scopeIds = scopeNames('prisma', scopes);
  const histogram = openHistogram();
  const startedAt = performance.now();
  const loop = async () => {
    while (performance.now() - startedAt < roundMs) {
      const scopeId = scopeIds[Math.floor(random() * scopes)] ?? '';
      const content = makeExperience(random);
      const sentAt = performance.now();
      await create(scopeId, content);
      recordMs(histogram, performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: histogram.count / seconds, ...readLatency(histogram) };
}

function rowOf(side: Side, connections: number, results: Result[]): Throughput {
  return {
    name: `Create of an Experience, ${side}`,
    connections,
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  };
}

function ratioOf(connections: number, results: Record<Side, Result[]>): Finding {
  const [prismaRate, sqlRate] = sides.map((side) => median(results[side].map(({ perSecond }) => perSecond)));
  return {
    name: `Create of an Experience: requests/s of Prisma Client / named statements, ${connections} at once`,
    value: (prismaRate ?? 0) / (sqlRate ?? 0),
    unit: '×',
    note: `medians, ${prismaRate?.toFixed(0)} and ${sqlRate?.toFixed(0)} requests/s`,
  };
}
