import type { Bench, Benchmark } from '../benchmark.ts';
import { createFilledScopes, vacuumTables } from '../data/fill-scope.ts';
import { type Random, seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { makeEntry, makeQuery } from '../data/texts.ts';
import { fillProject } from '../data/workstreams.ts';
import { type HttpRequest, send } from '../load/http-load.ts';
import {
  captureRequest,
  entryBytes,
  flushRequest,
  makeCapture,
  prepareRequest,
  rememberRequest,
  searchRequest,
} from '../load/requests.ts';
import { databaseProcessorMs } from '../servers/processor-time.ts';
import type { Program } from '../servers/program.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

const scopes = 8;
const entries = 1_000;
const connections = 8;
const workstreams = 10;

const environment = { JOB_WAIT_MS: '300000' };

/** Kinds of requests in the order of the table. A flush takes the Source that a capture has left in its Scope. */
const kinds: { name: string; count: number; make: (random: Random, scopeIds: string[]) => HttpRequest[] }[] =
  [
    {
      name: 'remember, 200 bytes',
      count: 800,
      make: (random, scopeIds) => scopeIds.map((id) => rememberRequest(id, makeEntry(random, entryBytes))),
    },
    {
      name: 'search, 1,000 entries',
      count: 800,
      make: (random, scopeIds) => scopeIds.map((id) => searchRequest(id, makeQuery(random))),
    },
    {
      name: 'prepare a context, 1,000 entries',
      count: 400,
      make: (random, scopeIds) => scopeIds.map((id) => prepareRequest(id, makeQuery(random))),
    },
    {
      name: 'capture, 1 KB',
      count: 800,
      make: (random, scopeIds) => scopeIds.map((id) => captureRequest(makeCapture(random, [id]))),
    },
    {
      name: 'flush of 100 Sources of 1 KB',
      count: scopes,
      make: (_random, scopeIds) => scopeIds.map(flushRequest),
    },
  ];

export const capacity: Benchmark = {
  name: 'capacity',
  summary: 'processor time of gateway, worker and PostgreSQL for each request',
  run: (bench) =>
    runOnService(bench, bench.isQuick ? {} : { environment }, async (running) => {
      const random = seededRandom(71);
      const scopeIds = scopeNames('capacity', scopes);
      await createFilledScopes(running, scopeIds, bench.isQuick ? 5 : entries, random);
      await vacuumTables(running.databaseUrl);
      const rows: string[][] = [];
      for (const { name, count, make } of kinds) {
        bench.log(`capacity: ${name}`);
        const rounds = Math.ceil((bench.isQuick ? scopes : count) / scopes);
        const requests = Array.from({ length: rounds }, () => make(random, scopeIds)).flat();
        rows.push([name, ...(await measure(bench, running, requests))]);
      }
      bench.log('capacity: reports');
      const reports = await makeReports(bench, running, random);
      rows.push([`report of ${workstreams} Workstreams`, ...(await measure(bench, running, reports))]);
      const head = ['Request', 'Gateway', 'Worker', 'PostgreSQL'];
      return { throughputs: [], findings: [], tables: [{ head, rows, right: head.slice(1) }] };
    }),
};

async function makeReports(
  { isQuick }: Bench,
  { load, url, databaseUrl }: LoadedService,
  random: Random,
): Promise<HttpRequest[]> {
  const project = { name: 'capacity-report', workstreams, revisions: 3, oldSources: workstreams };
  const project_id = await fillProject(load, url, databaseUrl, project, random);
  const request = { path: '/v1/handoff-reports/get', body: { project_id, format: 'json' } };
  return Array.from({ length: isQuick ? 2 : 100 }, () => request);
}

/** Milliseconds of processor time for each request, of each part. */
async function measure(
  { stores, isQuick }: Bench,
  { service: { gateways, workers }, url, load }: LoadedService,
  requests: HttpRequest[],
): Promise<string[]> {
  const sum = async (programs: Program[]) =>
    (await Promise.all(programs.map((program) => program.processorMs()))).reduce((all, one) => all + one, 0);
  const read = async () => [
    await sum(gateways),
    await sum(workers),
    isQuick ? 0 : await databaseProcessorMs(stores.adminUrl),
  ];
  const before = await read();
  await send(load, [url], requests, { connections });
  const after = await read();
  return after.map((ms, part) => ((ms - (before[part] ?? 0)) / requests.length).toFixed(2));
}
