import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantId } from './keys.ts';

const tenant = new AsyncLocalStorage<TenantId>();

/** Runs `work` on behalf of a tenant. The connection pool lets tenants take turns, by this value. */
export function runAsTenant<Result>(tenantId: TenantId, work: () => Result): Result {
  return tenant.run(tenantId, work);
}

/** The tenant of the running work; undefined for work of the process itself, such as a health check. */
export function currentTenant(): TenantId | undefined {
  return tenant.getStore();
}
