import { type Child, startChild } from './child.ts';
import type { Latency } from './latency.ts';
import type { Trips } from './transaction.ts';

/** Transactions for a closed loop over plain connections. */
export interface DirectTask {
  databaseUrl: string;
  /** One connection for each list; its transactions run in order. */
  lists: Trips[][];
  maxMs: number;
}

export interface DirectResult extends Latency {
  count: number;
  perSecond: number;
}

/** Sends statements from a process of its own that does nothing else. */
export type DirectLoad = Child<DirectTask, DirectResult>;

export function startDirectLoad(): DirectLoad {
  return startChild('./direct-child.ts');
}
