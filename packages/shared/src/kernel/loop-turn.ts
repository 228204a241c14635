/** A tenant begins no further work in a turn of the event loop after this time, in milliseconds. */
export const turnBudgetMs = 1;

/** When each tenant began work in the current turn of the event loop. */
const begunAt = new Map<number, number>();

/**
 * Whether work of a tenant may begin in the current turn of the event loop. The answer yes counts as a beginning. After a no, ask
 * again in the next turn (`setImmediate`): the loop runs the work of other tenants in between, so they wait for one piece of the
 * tenant's work, however many pieces it has.
 */
export function mayBeginInTurn(tenant: number): boolean {
  const begun = begunAt.get(tenant);
  if (begun !== undefined) return performance.now() - begun < turnBudgetMs;
  if (begunAt.size === 0) setImmediate(() => begunAt.clear());
  begunAt.set(tenant, performance.now());
  return true;
}
