import { waitUntil as wait } from '../../packages/testing/src/wait.ts';

/** Limit of a wait for a state, in milliseconds. A machine that is busy otherwise starts a pod in minutes. */
export const patienceMs = 240_000;

/** The same limit for the programs of Kubernetes. */
export const patience = `${patienceMs / 1_000}s`;

/** As `waitUntil` of the other tests, with a longer limit. An error in `condition` ends the wait at once. */
export const waitUntil: typeof wait = (condition, options = {}) =>
  wait(condition, { timeoutMs: patienceMs, ...options });

/** Waits for a state that can be asked for only at times: an error in `condition` counts as "not yet". */
export const comesTrue = (condition: () => Promise<boolean>, what: string): Promise<true> =>
  waitUntil(() => condition().catch(() => false), { what, intervalMs: 200 });
