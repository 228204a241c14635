import { type Child, startChild } from './child-process.ts';
import type { Latency } from './latency.ts';
import type { RoundTrips } from './round-trips.ts';

/** Transactions for a closed loop over plain connections. */
export interface DirectTask {
  databaseUrl: string;
  /** One connection for each list; its transactions run in order. */
  lists: RoundTrips[][];
  maxMs: number;
}

export interface DirectResult extends Latency {
  count: number;
  perSecond: number;
}

/** Sends statements from a child process that does nothing else. */
export type DirectLoad = Child<DirectTask, DirectResult>;

export function startDirectLoad(): DirectLoad {
  return startChild('./direct-sql-child.ts');
}
