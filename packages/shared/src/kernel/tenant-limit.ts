import type { TenantId } from './keys.ts';

interface Tenant {
  running: number;
  /** Start the works that wait, in order. */
  waiting: (() => void)[];
}

/** Limits how many works of one tenant run at a time, for works that need much memory. Tenants do not wait for each other. */
export class TenantLimit {
  readonly #max: number;
  readonly #tenants = new Map<TenantId, Tenant>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs `work` as soon as fewer than `max` works of the tenant run. */
  async run<Result>(tenantId: TenantId, work: () => Promise<Result>): Promise<Result> {
    const tenant = this.#tenants.get(tenantId) ?? { running: 0, waiting: [] };
    this.#tenants.set(tenantId, tenant);
    if (tenant.running >= this.#max) await new Promise<void>((start) => tenant.waiting.push(start));
    else tenant.running += 1;
    try {
      return await work();
    } finally {
      // The next work takes the place.
      const start = tenant.waiting.shift();
      if (start === undefined) tenant.running -= 1;
      else start();
      if (tenant.running === 0) this.#tenants.delete(tenantId);
    }
  }
}
