import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Benchmark, Finding } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { databaseProcessorMs } from '../servers/processor-time.ts';
import { tokenOf, writeServersOf, writeTokensOf } from '../servers/server-files.ts';
import { ownServers } from '../servers/servers.ts';
import type { Service } from '../servers/service.ts';
import { measureLostServer } from './lost-server.ts';

const connections = 32;
const tenants = Array.from({ length: 8 }, (_, index) => `tenant-${index}`);
const maxRoutingPercent = 2;
const leastFactor = 1.8;
/** Upper bound for the captures of a gateway in a second: so many are prepared. */
const maxPerSecond = 6_000;

/** One round on one deployment. */
interface Round {
  perSecond: number;
  /** Processor time for each request, in milliseconds. */
  gatewayMs: number;
  databaseMs: number;
}

type Side = 'url' | 'one' | 'two';

export const databaseServers: Benchmark = {
  name: 'servers',
  summary:
    'captures on one database server, with DATABASE_URL and with a file, and on two; latency beside a lost one',
  run: async (bench) => {
    const { isQuick, log } = bench;
    // A database that is one of several serves no other benchmark.
    const servers = ownServers(bench.stores);
    const opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const AUTH_TOKENS_FILE = await writeTokensOf(folder, 'tokens', tenants);
    const start = async (count: number, hasFile: boolean) => {
      const databases = await Promise.all(Array.from({ length: count }, () => servers.createDatabase()));
      for (const database of databases) opened.defer(() => database.drop());
      const urls = databases.map(({ url }) => url);
      const environment = hasFile
        ? { AUTH_TOKENS_FILE, DATABASE_URL: '', DATABASE_SERVERS_FILE: await writeServers(folder, urls) }
        : { AUTH_TOKENS_FILE };
      const service = await servers.startSeparate({ databaseUrl: urls[0] ?? '', environment });
      opened.defer(() => service.stop());
      return service;
    };
    try {
      const sides = { url: await start(1, false), one: await start(1, true), two: await start(2, true) };
      const load = servers.startLoad();
      opened.defer(() => load.close());
      const rounds = await measureInTurns(bench, sides, load);
      log(
        `servers: ${rounds.map((round) => (round.one.perSecond / round.url.perSecond).toFixed(2)).join(' ')}`,
      );
      const besideLost = await measureLostServer(bench, folder);
      return { throughputs: [], findings: [...findingsOf(rounds, isQuick), ...besideLost] };
    } finally {
      await opened.disposeAsync();
    }
  },
};

/** All sides take turns, so that other load on the machine affects them alike. */
async function measureInTurns(
  { stores, isQuick }: Bench,
  sides: Record<Side, Service>,
  load: HttpLoad,
): Promise<Record<Side, Round>[]> {
  const roundMs = isQuick ? 100 : 700;
  const [warmUpRounds, count] = isQuick ? [1, 1] : [8, 16];
  const order: Side[] = ['url', 'one', 'two'];
  const rounds: Record<Side, Round>[] = [];
  for (let round = -warmUpRounds; round < count; round += 1) {
    const measured: Partial<Record<Side, Round>> = {};
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const service = sides[side];
      const before = await processorTimes(stores.adminUrl, service, isQuick);
      const { count: sent, perSecond } = await send(load, service.urls, captures(round, roundMs), {
        connections,
        maxMs: roundMs,
      });
      const after = await processorTimes(stores.adminUrl, service, isQuick);
      measured[side] = {
        perSecond,
        gatewayMs: (after.gateway - before.gateway) / sent,
        databaseMs: (after.database - before.database) / sent,
      };
    }
    if (round >= 0) rounds.push(measured as Record<Side, Round>);
  }
  return rounds;
}

function findingsOf(rounds: Record<Side, Round>[], isQuick: boolean): Finding[] {
  const ofSide = (side: Side, field: keyof Round) => median(rounds.map((round) => round[side][field]));
  const ratio = (one: Side, other: Side, field: keyof Round) =>
    median(rounds.map((round) => round[one][field] / round[other][field]));
  const note = (side: Side) =>
    `${ofSide(side, 'perSecond').toFixed(0)} captures/s; gateway ${ofSide(side, 'gatewayMs').toFixed(2)} ms, PostgreSQL ${ofSide(side, 'databaseMs').toFixed(2)} ms each`;
  return [
    {
      name: 'captures/s lost to routing, with one server in DATABASE_SERVERS_FILE',
      value: 100 * (1 - ratio('one', 'url', 'perSecond')),
      unit: '%',
      bar: { kind: 'at most', limit: maxRoutingPercent },
      note: `${note('url')}, without the file. With it: ${note('one')}`,
    },
    {
      name: 'captures/s: two servers / one, on the same machine',
      value: ratio('two', 'one', 'perSecond'),
      unit: '×',
      note: note('two'),
    },
    {
      name: 'captures that two servers carry / one, if each has its own cores, by processor time of PostgreSQL',
      value: isQuick ? 0 : 2 / ratio('two', 'one', 'databaseMs'),
      unit: '×',
      bar: { kind: 'at least', limit: isQuick ? 0 : leastFactor },
    },
  ];
}

/** In a quick run, the server may be on another machine, such as a container. */
async function processorTimes(adminUrl: string, { gateways }: Service, isQuick: boolean) {
  const times = await Promise.all(gateways.map((gateway) => gateway.processorMs()));
  return {
    gateway: times.reduce((sum, ms) => sum + ms, 0),
    database: isQuick ? 0 : await databaseProcessorMs(adminUrl),
  };
}

/** Captures of all tenants in turn. */
function captures(round: number, roundMs: number): HttpRequest[] {
  const random = seededRandom(97 + round);
  return Array.from({ length: Math.ceil((maxPerSecond * roundMs) / 1_000) }, (_, index) => ({
    ...captureRequest(makeCapture(random, ['servers'])),
    token: tokenOf(tenants[index % tenants.length] ?? ''),
  }));
}

/** Writes a file of servers, with an equal number of tenants on each. */
function writeServers(folder: string, urls: readonly string[]): Promise<string> {
  const databases = urls.map((url, server) => ({
    url,
    tenants: tenants.filter((_, index) => index % urls.length === server),
  }));
  return writeServersOf(folder, `servers-${urls.length}`, databases);
}
