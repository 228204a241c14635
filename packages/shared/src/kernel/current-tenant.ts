import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantId } from './keys.ts';

const tenant = new AsyncLocalStorage<TenantId>();

/** Runs `work` as work of a tenant, so that it takes the tenant's turns where work waits for a connection. */
export function runAsTenant<Result>(tenantId: TenantId, work: () => Result): Result {
  return tenant.run(tenantId, work);
}

/** The tenant whose work runs; undefined for work of the process itself. */
export function currentTenant(): TenantId | undefined {
  return tenant.getStore();
}
