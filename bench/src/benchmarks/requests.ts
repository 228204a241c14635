import type { Bench, Benchmark, Finding, Throughput } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { makeScopes, scopeNames } from '../data/scopes.ts';
import { startDirectLoad } from '../load/direct.ts';
import { type HttpLoad, send, startHttpLoad } from '../load/http.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { startAllInOne, startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';
import { type Field, makeReadable, measuredOperations } from './operations.ts';
import { measureOperation } from './rounds.ts';

const connectionCounts = [1, 32];

/** Share of the direct throughput that a remember at 32 connections has to reach. */
const leastShare = 0.5;

export const requests: Benchmark = {
  name: 'requests',
  summary: 'requests/s and latency of each operation, and of the same SQL without the service',
  run: async (bench) => {
    const separate = await measureOn(bench, 'Redis');
    const embedded = await measureOn(bench, 'embedded');
    return { throughputs: [...separate, ...embedded], findings: findingsOf([...separate, ...embedded]) };
  },
};

async function measureOn(bench: Bench, queues: 'Redis' | 'embedded'): Promise<Throughput[]> {
  const { stores, isQuick } = bench;
  const database = await createOwnDatabase(stores);
  const options = { databaseUrl: database.url, redisUrl: stores.redisUrl };
  const service = await (queues === 'Redis' ? startSeparate(options) : startAllInOne(options));
  const load = startHttpLoad();
  const direct = startDirectLoad();
  try {
    const [url = ''] = service.urls;
    bench.say(`requests, ${queues}: preparing`);
    const field = await prepareField(bench, load, url, database.url);
    const timing = isQuick ? { roundMs: 100, rounds: 1 } : { roundMs: 2_000, rounds: 3 };
    const setup = { url, databaseUrl: database.url, load, direct, field, ...timing };
    const throughputs: Throughput[] = [];
    for (const connections of connectionCounts) {
      for (const operation of measuredOperations) {
        bench.say(`requests, ${queues}: ${operation.name}, ${connections} connections`);
        const measured = await measureOperation(setup, operation, connections);
        throughputs.push({ ...measured, what: `${operation.name}, ${queues}` });
      }
    }
    return throughputs;
  } finally {
    await Promise.all([load.close(), direct.close()]);
    await service.stop();
    await database.drop();
  }
}

async function prepareField(
  { isQuick }: Bench,
  load: HttpLoad,
  url: string,
  databaseUrl: string,
): Promise<Field> {
  const random = seededRandom(11);
  const count = isQuick ? 40 : 500;
  const scopeIds = scopeNames('service', count);
  await makeScopes(load, url, databaseUrl, scopeIds, random);
  const directHeads = await makeScopes(load, url, databaseUrl, scopeNames('direct', count), random);
  const readable = await makeReadable(load, url, random, { scopes: count / 10, entries: isQuick ? 5 : 100 });
  // Each Scope gets its line of Sources, so that every measured capture finds one.
  const firsts = [...scopeIds, ...scopeNames('direct', count)].map((scopeId) =>
    captureRequest(makeCapture(random, [scopeId])),
  );
  await send(load, [url], firsts, { connections: 16 });
  return { random, scopeIds, directHeads, readable };
}

function findingsOf(throughputs: Throughput[]): Finding[] {
  return throughputs.flatMap(({ what, connections, direct }) => {
    if (!what.startsWith('remember') || connections === 1 || direct === undefined) return [];
    return {
      what: `${what}: share of direct SQL at ${connections} connections`,
      value: direct.ratio,
      unit: '',
      bar: { kind: 'at least', limit: leastShare },
      note: `many Scopes, ${direct.perSecond.toFixed(0)} transactions/s direct`,
    };
  });
}
