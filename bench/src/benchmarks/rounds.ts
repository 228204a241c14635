import type { Throughput } from '../benchmark.ts';
import type { DirectLoad, DirectResult } from '../load/direct.ts';
import { type HttpLoad, type HttpResult, latencyOf, send } from '../load/http.ts';
import type { Trips } from '../load/transaction.ts';
import { median } from '../report/median.ts';
import type { Field, MeasuredOperation } from './operations.ts';

/** What a measurement runs on. */
export interface Setup {
  url: string;
  databaseUrl: string;
  load: HttpLoad;
  direct: DirectLoad;
  field: Field;
  roundMs: number;
  rounds: number;
}

/** More than a loop gets through in a second, by its connections; so many are prepared. */
const mostPerSecond = new Map([
  [1, 1_500],
  [32, 4_000],
]);

/**
 * Requests of one operation in rounds; for a write, each round also has the same work as plain SQL right after, so that what
 * else goes on in the machine meets both. Medians of the rounds.
 */
export async function measureOperation(
  setup: Setup,
  operation: MeasuredOperation,
  connections: number,
): Promise<Omit<Throughput, 'what'>> {
  const rounds: Round[] = [];
  for (let round = 0; round <= setup.rounds; round += 1) {
    const result = await measureRound(setup, operation, connections);
    // The first one only warms up.
    if (round > 0) rounds.push(result);
  }
  return {
    connections,
    perSecond: median(rounds.map(({ service }) => service.perSecond)),
    p50Ms: median(rounds.map(({ service }) => latencyOf(service).p50Ms)),
    p99Ms: median(rounds.map(({ service }) => latencyOf(service).p99Ms)),
    ...compare(rounds),
  };
}

interface Round {
  service: HttpResult;
  direct: DirectResult | undefined;
}

function compare(rounds: Round[]): Pick<Throughput, 'direct'> {
  const directs = rounds.flatMap(({ direct }) => direct?.perSecond ?? []);
  if (directs.length === 0) return {};
  const ratios = directs.map((perSecond, round) => (rounds[round]?.service.perSecond ?? 0) / perSecond);
  return { direct: { perSecond: median(directs), ratio: median(ratios) } };
}

async function measureRound(setup: Setup, operation: MeasuredOperation, connections: number): Promise<Round> {
  const { url, databaseUrl, load, direct, field, roundMs } = setup;
  const count = Math.ceil(((mostPerSecond.get(connections) ?? 0) * roundMs) / 1_000);
  const sent = Array.from({ length: count }, () => operation.makeRequest(field));
  const service = await send(load, [url], sent, { connections, maxMs: roundMs });
  const { makeTrips } = operation;
  if (makeTrips === undefined) return { service, direct: undefined };
  const lists: Trips[][] = [];
  for (let connection = 0; connection < connections; connection += 1) {
    // A Scope belongs to one connection, whose transactions run in order: their revisions are known before.
    const heads = field.directHeads.filter((_, index) => index % connections === connection);
    lists.push(await makeList(Math.ceil(count / connections), () => makeTrips(field, heads)));
  }
  return { service, direct: await direct.run({ databaseUrl, lists, maxMs: roundMs }) };
}

async function makeList(length: number, make: () => Promise<Trips>): Promise<Trips[]> {
  const list: Trips[] = [];
  while (list.length < length) list.push(await make());
  return list;
}
