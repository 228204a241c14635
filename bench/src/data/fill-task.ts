import type { ScopeHead } from '../load/remember.ts';

/** Scopes that a process of its own fills. */
export interface FillTask {
  databaseUrl: string;
  heads: ScopeHead[];
  /** Entries of each. */
  count: number;
  seed: number;
}

export interface Filled {
  /** Entries in all. */
  entries: number;
}
