import { type Epoch, type Epochs, isWritableHere, type TenantId } from '@continuity/kernel/database';
import { isTenantMoved } from '@continuity/kernel/errors';
import type { NewJob } from './job.ts';

/** Limit of Scopes per check. */
export const dueBatch = 200;

/** A job that has not finished after this time, in milliseconds, counts as lost, and its Scope is due again. */
export const lostAfterMs = 60_000;

/**
 * SQL that claims Scopes whose time in `column` has come, each for one worker, and returns their `tenant_id` and `scope_id`.
 * Postpones the time instead of clearing it, so that the Scope of a lost job is due again.
 */
export function takeDueScopes(
  table: 'source_sequences' | 'memory_totals',
  column: string,
  { condition = 'true', limit = String(dueBatch) } = {},
): string {
  return `WITH due AS (
     SELECT tenant_id, scope_key FROM ${table} WHERE ${column} <= now() AND ${condition} AND ${isWritableHere(`${table}.tenant_id`)}
     ORDER BY ${column} LIMIT ${limit} FOR UPDATE SKIP LOCKED
   )
   UPDATE ${table} t SET ${column} = now() + interval '${lostAfterMs} ms'
   FROM due JOIN scopes c USING (tenant_id, scope_key)
   WHERE t.tenant_id = due.tenant_id AND t.scope_key = due.scope_key
   RETURNING t.tenant_id, c.scope_id`;
}

/** A row of `takeDueScopes`. */
export interface DueScope {
  tenant_id: TenantId;
  scope_id: string;
}

/**
 * Queues a background job for each due Scope. If a job cannot be written, keeps the Scopes that it has taken for the next call.
 * Otherwise they would wait for `lostAfterMs`.
 */
export class DueScopeScheduler {
  readonly #queueBackground: (job: NewJob) => Promise<boolean>;
  readonly #epochs: Epochs;
  /** Taken Scopes without a job, when they were taken, by `performance.now`, and in which epoch of the database. */
  #taken: { scope: DueScope; takenAt: number; epoch: Epoch }[] = [];

  constructor(queueBackground: (job: NewJob) => Promise<boolean>, epochs: Epochs) {
    this.#queueBackground = queueBackground;
    this.#epochs = epochs;
  }

  /** Takes due Scopes and queues the job of each. */
  async queueJobs(take: () => Promise<DueScope[]>, jobOf: (scope: DueScope) => NewJob): Promise<void> {
    const takenAt = performance.now();
    const epoch = this.#epochs.current;
    // A database that was restored, or failed over, may have lost the tenants and Scopes of an earlier epoch. It finds its own due again.
    this.#taken = this.#taken.filter((kept) => kept.epoch.isCurrent && takenAt - kept.takenAt < lostAfterMs);
    // During an outage, other workers may be able to queue the jobs of further Scopes.
    const due = this.#taken.length < dueBatch ? await take() : [];
    this.#taken.push(...due.map((scope) => ({ scope, takenAt, epoch })));
    for (let next = this.#taken.shift(); next !== undefined; next = this.#taken.shift()) {
      try {
        await this.#queueBackground(jobOf(next.scope));
      } catch (error) {
        // The server that the tenant moves to schedules it.
        if (isTenantMoved(error)) continue;
        // At the end, one Scope whose job cannot be written does not block the others.
        this.#taken.push(next);
        throw error;
      }
    }
  }
}
