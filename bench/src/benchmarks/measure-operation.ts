import type { Throughput } from '../benchmark.ts';
import type { DirectLoad, DirectResult } from '../load/direct-sql.ts';
import { type HttpLoad, type HttpResult, send } from '../load/http-load.ts';
import type { RoundTrips } from '../load/round-trips.ts';
import { median } from '../report/median.ts';
import { medianRow } from '../report/rows.ts';
import type { MeasuredOperation, Workload } from './measured-operations.ts';

/** The service, the load generators and the timing of a measurement. */
interface Setup {
  url: string;
  databaseUrl: string;
  load: HttpLoad;
  direct: DirectLoad;
  workload: Workload;
  roundMs: number;
  warmUpRounds: number;
  rounds: number;
}

/** Upper bound for the requests/s of a closed loop, by number of connections: so many requests are prepared. */
const maxPerSecond = new Map([
  [1, 1_500],
  [32, 4_000],
]);

/**
 * Measures one operation in rounds and returns the medians. For a write, each round also sends the same work as plain SQL, so
 * that other load on the machine affects both alike.
 */
export async function measureOperation(
  setup: Setup,
  operation: MeasuredOperation,
  connections: number,
): Promise<Throughput> {
  const rounds: Round[] = [];
  for (let round = -setup.warmUpRounds; round < setup.rounds; round += 1) {
    const result = await measureRound(setup, operation, connections);
    if (round >= 0) rounds.push(result);
  }
  return {
    ...medianRow(
      operation.name,
      connections,
      rounds.map(({ service }) => service),
    ),
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
  const { url, databaseUrl, load, direct, workload, roundMs } = setup;
  const count = Math.ceil(((maxPerSecond.get(connections) ?? 0) * roundMs) / 1_000);
  const sent = Array.from({ length: count }, () => operation.makeRequest(workload));
  const service = await send(load, [url], sent, { connections, maxMs: roundMs });
  const { makeRoundTrips } = operation;
  if (makeRoundTrips === undefined) return { service, direct: undefined };
  const lists: RoundTrips[][] = [];
  for (let connection = 0; connection < connections; connection += 1) {
    // Each Scope is used by one connection, which sends its transactions in order: so the revisions are known in advance.
    const heads = workload.directHeads.filter((_, index) => index % connections === connection);
    lists.push(await makeList(Math.ceil(count / connections), () => makeRoundTrips(workload, heads)));
  }
  return { service, direct: await direct.run({ databaseUrl, lists, maxMs: roundMs }) };
}

async function makeList(length: number, make: () => Promise<RoundTrips>): Promise<RoundTrips[]> {
  const list: RoundTrips[] = [];
  while (list.length < length) list.push(await make());
  return list;
}
