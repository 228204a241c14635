import { startChild } from '../load/child-process.ts';
import type { ScopeHead } from '../load/record-remember.ts';
import type { Filled, FillTask } from './fill-scopes-task.ts';
import { rebuildTermIndexAfter } from './rebuild-index.ts';

/** Child processes that generate and analyze the texts, each for its own Scopes. */
const maxProcesses = 2;

/**
 * Remembers `count` entries in each Scope, a thousand per revision, by the SQL statements of the service. The index on terms is
 * dropped first and rebuilt at the end, which is faster than to insert a million rows into it.
 */
export async function fillScopes(databaseUrl: string, heads: ScopeHead[], count: number): Promise<void> {
  const processes = Math.min(maxProcesses, heads.length);
  await rebuildTermIndexAfter(databaseUrl, async () => {
    await Promise.all(
      Array.from({ length: processes }, async (_, worker) => {
        const share = heads.filter((_head, position) => position % processes === worker);
        const child = startChild<FillTask, Filled>('../data/fill-scopes-child.ts');
        try {
          await child.run({ databaseUrl, heads: share, count, seed: 71 + worker });
        } finally {
          await child.close();
        }
      }),
    );
  });
}
