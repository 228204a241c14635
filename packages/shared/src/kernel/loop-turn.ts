/** A tenant begins no further work in a turn of the event loop after this time, in milliseconds. */
export const turnBudgetMs = 1;

/** When each tenant began work in the current turn of the event loop. */
const begunAt = new Map<number, number>();

/**
 * Whether a tenant can begin work in the current turn of the event loop. True counts as a start. After false, ask again in the next
 * turn (`setImmediate`): the loop runs the work of other tenants first.
 */
export function canBeginInTurn(tenant: number): boolean {
  const begun = begunAt.get(tenant);
  if (begun !== undefined) return performance.now() - begun < turnBudgetMs;
  if (begunAt.size === 0) setImmediate(() => begunAt.clear());
  begunAt.set(tenant, performance.now());
  return true;
}
