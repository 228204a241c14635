import type { ScopeSelection } from '@continuity/contract';
import type { Client } from '@continuity/testing';

type Period = 'today' | '7d' | '30d';

export const exactly = (...scope_ids: string[]): ScopeSelection => ({ mode: 'exact', scope_ids });

/** Reads statistics. An error response fails the test. */
export async function statsOf(client: Client, selection: ScopeSelection, period: Period = 'today') {
  return (await client.call('get_stats', { body: { selection, period } })).body;
}

export type Stats = Awaited<ReturnType<typeof statsOf>>;
type Sections = Pick<Stats, 'inventory' | 'usage' | 'recall'>;

/** Reads the inventory of one Scope. */
export async function inventoryOf(client: Client, scopeId: string) {
  return (await statsOf(client, exactly(scopeId))).inventory;
}

/** Collects every number by its path. List members appear in the path by family, kind, purpose or date. */
function figuresOf(value: unknown, path: string, found: Map<string, number | null>): void {
  if (typeof value === 'number' || value === null) found.set(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const { family, kind, purpose, date } = (inner ?? {}) as Record<string, string | undefined>;
    figuresOf(
      inner,
      `${path}/${(Array.isArray(value) && (family ?? kind ?? purpose ?? date)) || name}`,
      found,
    );
  }
}

/** Adds up the numbers of several sections. Null wins; a missing number counts as zero. */
export function addUp(sections: Sections[]): Record<string, number | null> {
  const sum: Record<string, number | null> = {};
  for (const { inventory, usage, recall } of sections) {
    const { estimator: _estimator, ...recalled } = recall;
    const figures = new Map<string, number | null>();
    figuresOf({ inventory, usage, recall: recalled }, '', figures);
    for (const [path, figure] of figures) {
      const before = sum[path];
      sum[path] = before === null || figure === null ? null : (before ?? 0) + figure;
    }
  }
  return sum;
}
