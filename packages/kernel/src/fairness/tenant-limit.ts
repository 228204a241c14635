import type { TenantId } from '../database/columns.ts';

interface Tenant {
  running: number;
  /** Callbacks that start the waiting tasks, in order. */
  waiting: (() => void)[];
}

/** Limits the concurrent tasks of each tenant, for tasks that need much memory. Tenants do not wait for each other. */
export class TenantLimit {
  readonly #max: number;
  readonly #tenants = new Map<TenantId, Tenant>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs `work` as soon as fewer than `max` tasks of the tenant run. */
  async run<Result>(tenantId: TenantId, work: () => Promise<Result>): Promise<Result> {
    const tenant = this.#tenants.get(tenantId) ?? { running: 0, waiting: [] };
    this.#tenants.set(tenantId, tenant);
    if (tenant.running >= this.#max) await new Promise<void>((start) => tenant.waiting.push(start));
    else tenant.running += 1;
    try {
      return await work();
    } finally {
      // The next task takes over the place, so `running` does not change.
      const start = tenant.waiting.shift();
      if (start === undefined) tenant.running -= 1;
      else start();
      if (tenant.running === 0) this.#tenants.delete(tenantId);
    }
  }
}
