import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantId } from '../database/columns.ts';
import type { Epoch } from '../database/epochs.ts';

/** On whose behalf work runs, and the epoch in which its ids were looked up. */
interface Work {
  tenantId?: TenantId | undefined;
  epoch?: Epoch | undefined;
}

const current = new AsyncLocalStorage<Work>();

/**
 * Runs `work` on behalf of a tenant. The connection pool lets tenants take turns, by this value. If the id of the tenant was looked up
 * in an epoch, pass it: once it has ended, the pool refuses the work.
 */
export function runAsTenant<Result>(tenantId: TenantId, work: () => Result, epoch?: Epoch): Result {
  return current.run({ tenantId, epoch }, work);
}

/** Runs work of the process itself. The pool refuses it once the epoch has ended, because its ids may be of another history. */
export function runInEpoch<Result>(epoch: Epoch, work: () => Result): Result {
  return current.run({ epoch }, work);
}

/** The tenant of the running work; undefined for work of the process itself, such as a health check. */
export function currentTenant(): TenantId | undefined {
  return current.getStore()?.tenantId;
}

/** The epoch of the running work; undefined for work that holds no id from an earlier query. */
export function currentEpoch(): Epoch | undefined {
  return current.getStore()?.epoch;
}
