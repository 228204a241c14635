import { migrate } from '@continuity/kernel/database';
import { startPostgres, waitUntil } from '@continuity/testing/servers';
import type { Bench, Finding } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { makeQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpRequest, latencyOf, send } from '../load/http-load.ts';
import { captureRequest, makeCapture, searchRequest } from '../load/requests.ts';
import { median } from '../report/median.ts';
import { tokenOf, writeServersOf, writeTokensOf } from '../servers/server-files.ts';
import { ownServers } from '../servers/servers.ts';

/** Tenants of the server that is lost, and of the other one. */
const ofLost = ['lost-0', 'lost-1'];
const ofOther = ['other-0', 'other-1', 'other-2', 'other-3'];

/** A fixed rate, which takes a tenth of a core: a queue would hide where a request waits. */
const connections = 4;
const intervalMs = 100;

/** How much the p99 of the tenants of the other server may rise. */
const maxRatio = 1.05;

const states = ['up', 'stopped', 'frozen'] as const;
type State = (typeof states)[number];

interface Turn {
  p50Ms: number;
  p99Ms: number;
  count: number;
}

/** Measures the tenants of one server while another one is up, stopped or frozen. Its own tenants go on with their requests. */
export async function measureLostServer(bench: Bench, folder: string): Promise<Finding[]> {
  const opened = new AsyncDisposableStack();
  try {
    return await measureOpened(bench, folder, opened);
  } finally {
    await opened.disposeAsync();
  }
}

async function measureOpened(
  { stores, isQuick, log }: Bench,
  folder: string,
  opened: AsyncDisposableStack,
): Promise<Finding[]> {
  const servers = ownServers(stores);
  const [lost, other] = await Promise.all([startPostgres(), startPostgres()]);
  opened.defer(async () => void (await Promise.all([lost.stop(), other.stop()])));
  await Promise.all([migrate(lost.url), migrate(other.url)]);
  // The first server has the directory of the tenants.
  const placed = [
    { url: lost.url, tenants: ofLost },
    { url: other.url, tenants: ofOther },
  ];
  const environment = {
    AUTH_TOKENS_FILE: await writeTokensOf(folder, 'lost-tokens', [...ofLost, ...ofOther]),
    DATABASE_URL: '',
    DATABASE_SERVERS_FILE: await writeServersOf(folder, 'lost-servers', placed),
  };
  const { urls, stop } = await servers.startSeparate({ databaseUrl: '', environment });
  opened.defer(stop);
  const [load, besides] = [servers.startLoad(), servers.startLoad()];
  opened.defer(async () => void (await Promise.all([load.close(), besides.close()])));
  const turns = new Map<State, Turn[]>(states.map((state) => [state, []]));
  const [warmUps, count, turnMs] = isQuick ? [0, 1, 200] : [1, 7, 8_000];
  for (let round = -warmUps; round < count; round += 1) {
    for (const state of states) {
      const turn = await measureTurn({ urls, load, besides, lost }, state, turnMs, round);
      if (round >= 0) turns.get(state)?.push(turn);
    }
    log(`servers: round ${round} beside a lost one`);
  }
  return findingsOf(turns, isQuick);
}

interface Measured {
  urls: string[];
  load: HttpLoad;
  besides: HttpLoad;
  lost: Awaited<ReturnType<typeof startPostgres>>;
}

/** The turn begins with the loss, so that it has the requests that are under way. */
async function measureTurn(
  { urls, load, besides, lost }: Measured,
  state: State,
  turnMs: number,
  round: number,
): Promise<Turn> {
  const random = seededRandom(101 + round);
  const requests = (tenants: readonly string[]) =>
    tenants.flatMap((tenant): HttpRequest[] => [
      { ...captureRequest(makeCapture(random, ['servers'])), token: tokenOf(tenant) },
      { ...searchRequest('servers', makeQuery(random)), token: tokenOf(tenant) },
    ]);
  const many = Math.ceil((connections * turnMs) / intervalMs / ofOther.length);
  const ofTurn = Array.from({ length: many }, () => requests(ofOther)).flat();
  const beside = Array.from({ length: many }, () => requests(ofLost)).flat();
  const options = { connections, intervalMs, maxMs: turnMs };
  if (state === 'stopped') await lost.kill();
  if (state === 'frozen') await lost.freeze();
  const [result] = await Promise.all([
    send(load, urls, ofTurn, options),
    send(besides, urls, beside, { ...options, connections: 1, allowFailures: true }),
  ]);
  if (state === 'stopped') await lost.start();
  if (state === 'frozen') await lost.wake();
  // The next turn has both servers.
  await waitUntil(async () => {
    const { statuses } = await send(besides, urls, requests(ofLost), { connections: 1, allowFailures: true });
    return Object.keys(statuses).every((status) => status.startsWith('2'));
  });
  return { ...latencyOf(result), count: result.count };
}

function findingsOf(turns: ReadonlyMap<State, Turn[]>, isQuick: boolean): Finding[] {
  const ofState = (state: State, field: 'p50Ms' | 'p99Ms') =>
    median((turns.get(state) ?? []).map((turn) => turn[field]));
  const requests = (turns.get('up') ?? []).reduce((sum, { count }) => sum + count, 0);
  return (['stopped', 'frozen'] as const).map((state) => ({
    name: `p99 of the tenants of a server while another one is ${state} / while both are up`,
    value: ofState(state, 'p99Ms') / ofState('up', 'p99Ms'),
    unit: '×',
    bar: { kind: 'at most', limit: isQuick ? Number.MAX_SAFE_INTEGER : maxRatio },
    note: `median of the turns, ${requests} requests each: p99 ${ofState(state, 'p99Ms').toFixed(2)} and ${ofState('up', 'p99Ms').toFixed(2)} ms, p50 ${ofState(state, 'p50Ms').toFixed(2)} and ${ofState('up', 'p50Ms').toFixed(2)} ms`,
  }));
}
