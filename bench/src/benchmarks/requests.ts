import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { createScopes, scopeNames } from '../data/scopes.ts';
import { startDirectLoad } from '../load/direct-sql.ts';
import { type HttpLoad, send } from '../load/http-load.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { runOnService } from '../servers/run-on-service.ts';
import { measureOccurredAt } from './measure-occurred-at.ts';
import { measureOperation } from './measure-operation.ts';
import { createReadScopes, measuredOperations, type Workload } from './measured-operations.ts';

const connectionCounts = [1, 32];

/** Rounds of the comparison of captures with and without `occurred_at`. */
const comparedRounds = 5;

/** Minimum share of the throughput of direct SQL for remember at 32 connections. */
const minShare = 0.5;

export const requests: Benchmark = {
  name: 'requests',
  summary: 'throughput and latency of each operation; for writes, also of the same SQL without the service',
  run: async (bench) => {
    const separate = await measureOn(bench, 'Redis');
    const embedded = await measureOn(bench, 'embedded');
    const throughputs = [...separate.throughputs, ...embedded.throughputs];
    return { throughputs, findings: [...findingsOf(throughputs), ...separate.findings] };
  },
};

async function measureOn(bench: Bench, queues: 'Redis' | 'embedded'): Promise<Outcome> {
  const start = queues === 'Redis' ? 'startSeparate' : 'startAllInOne';
  return await runOnService(bench, { start }, async ({ url, databaseUrl, load }) => {
    const direct = startDirectLoad();
    try {
      bench.log(`requests, ${queues}: preparing`);
      const workload = await createWorkload(bench, load, url, databaseUrl);
      const timing = bench.isQuick
        ? { roundMs: 10, warmUpRounds: 0, rounds: 1 }
        : { roundMs: 2_000, warmUpRounds: 1, rounds: 3 };
      const setup = { url, databaseUrl, load, direct, workload, ...timing };
      const throughputs: Throughput[] = [];
      for (const connections of connectionCounts) {
        for (const operation of measuredOperations) {
          bench.log(`requests, ${queues}: ${operation.name}, ${connections} connections`);
          const measured = await measureOperation(setup, operation, connections);
          throughputs.push({ ...measured, name: `${operation.name}, ${queues}` });
        }
      }
      if (queues === 'embedded') return { throughputs, findings: [] };
      bench.log('requests: occurred_at');
      return {
        throughputs,
        findings: [await measureOccurredAt(setup, bench.isQuick ? 1 : comparedRounds)],
      };
    } finally {
      await direct.close();
    }
  });
}

async function createWorkload(
  { isQuick }: Bench,
  load: HttpLoad,
  url: string,
  databaseUrl: string,
): Promise<Workload> {
  const random = seededRandom(11);
  const count = isQuick ? 40 : 500;
  const scopeIds = scopeNames('service', count);
  await createScopes(load, url, databaseUrl, scopeIds, random);
  const directHeads = await createScopes(load, url, databaseUrl, scopeNames('direct', count), random);
  const readScopes = await createReadScopes(load, url, random, {
    scopes: count / 10,
    entries: isQuick ? 5 : 100,
  });
  // Each Scope has a Source before the measurement, so that no measured capture creates the source sequence.
  const firsts = [...scopeIds, ...scopeNames('direct', count)].map((scopeId) =>
    captureRequest(makeCapture(random, [scopeId])),
  );
  await send(load, [url], firsts, { connections: 16 });
  return { random, scopeIds, directHeads, readScopes };
}

function findingsOf(throughputs: Throughput[]): Finding[] {
  return throughputs.flatMap(({ name, connections, direct }) => {
    if (!name.startsWith('remember') || connections === 1 || direct === undefined) return [];
    return {
      name: `${name}: share of direct SQL throughput at ${connections} connections`,
      value: direct.ratio,
      unit: '',
      bar: { kind: 'at least', limit: minShare },
      note: `500 Scopes, ${direct.perSecond.toFixed(0)} transactions/s direct`,
    };
  });
}
