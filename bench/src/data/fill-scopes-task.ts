import type { ScopeHead } from '../load/record-remember.ts';

/** The Scopes that a child process fills. */
export interface FillTask {
  databaseUrl: string;
  heads: ScopeHead[];
  /** Entries per Scope. */
  count: number;
  seed: number;
}

export interface Filled {
  /** Entries of all Scopes. */
  entries: number;
}
