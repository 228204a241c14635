import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { makeEntry, rareQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { entryBytes, listRequest, rememberRequest, searchRequest } from '../load/requests.ts';
import { runOnService } from '../servers/run-on-service.ts';
import { bodies } from '../walls/bodies.ts';
import { flushes } from '../walls/flushes.ts';
import { lockedRows } from '../walls/locked-rows.ts';
import { type MeasuredWall, measureWall, timingOf, wallColumns } from '../walls/measure.ts';
import { longQueries } from '../walls/queries.ts';
import { schemas } from '../walls/schemas.ts';
import { stalledReaders } from '../walls/stalled-readers.ts';
import { makeTenants } from '../walls/tenants.ts';
import type { Wall } from '../walls/wall.ts';

const tenants = ['light', 'heavy', 'hostile'] as const;

/** The three tenants, and the settings of a service that has them. */
interface Deployment {
  bench: Bench;
  tokens: Record<(typeof tenants)[number], string>;
  environment: Record<string, string>;
}

/** A running service with the light tenant's data. */
interface Setup {
  url: string;
  databaseUrl: string;
  load: HttpLoad;
  /** Searches and lists of the light tenant. */
  light: HttpRequest[];
}

export const walls: Benchmark = {
  name: 'walls',
  summary:
    'latency of a light tenant beside heavy bodies, schemas, queries, readers, flushes and a frozen process',
  run: async (bench) => {
    const { tokens, file } = await makeTenants(tenants);
    const own = { bench, tokens, environment: { AUTH_TOKENS_FILE: file } };
    const gateway = await onService(own, 'startSeparate', ({ url, databaseUrl, load, light }) => [
      () => bodies(url, tokens.heavy, light),
      () => longQueries(url, tokens.heavy, light),
      () => stalledReaders(url, load, tokens.heavy, light),
      () => lockedRows(url, databaseUrl, load, tokens.heavy, light),
      () => schemas(url, load, [tokens.heavy, tokens.hostile], tokens.light, timingOf(bench).lightRequests),
    ]);
    const sources = bench.isQuick ? 400 : 12_000;
    // A quick run saves the start of a second service.
    const start = bench.isQuick ? 'startSeparate' : 'startAllInOne';
    const local = await onService(own, start, ({ url, load, light }) => [
      () => flushes(url, load, tokens.heavy, light, sources),
    ]);
    return toOutcome([...gateway, ...local]);
  },
};

/** Starts a service of three tenants and measures walls on it, one after the other. */
async function onService(
  { bench, tokens, environment }: Deployment,
  start: 'startSeparate' | 'startAllInOne',
  wallsOf: (setup: Setup) => (() => Wall | Promise<Wall>)[],
): Promise<MeasuredWall[]> {
  return await runOnService(bench, { start, environment }, async ({ url, databaseUrl, load }) => {
    const light = await fillLight(load, url, tokens.light);
    const measured: MeasuredWall[] = [];
    for (const prepare of wallsOf({ url, databaseUrl, load, light }))
      measured.push(await measureWall(bench, url, load, await prepare(), timingOf(bench)));
    return measured;
  });
}

/** Remembers 50 entries of the light tenant. Returns searches for them, and lists. */
async function fillLight(load: HttpLoad, url: string, token: string): Promise<HttpRequest[]> {
  const random = seededRandom(61);
  const entries = Array.from({ length: 50 }, () => makeEntry(random, entryBytes));
  const remembers = entries.map((entry) => ({ ...rememberRequest('light', entry), token }));
  await send(load, [url], remembers, { connections: 1 });
  return entries.flatMap((entry) => [
    { ...searchRequest('light', rareQuery(entry)), token },
    { ...listRequest('light'), token },
  ]);
}

function toOutcome(measured: MeasuredWall[]): Outcome {
  return {
    throughputs: [],
    findings: measured.flatMap(({ findings }) => findings),
    tables: [{ ...wallColumns, rows: measured.map(({ row }) => row) }],
  };
}
