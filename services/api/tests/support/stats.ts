import type { ScopeSelection } from '@continuity/contract';
import type { Client } from '@continuity/testing';

type Period = 'today' | '7d' | '30d';

export const exactly = (...scope_ids: string[]): ScopeSelection => ({ mode: 'exact', scope_ids });

/** Statistics; fails the test where they are refused. */
export async function statsOf(client: Client, selection: ScopeSelection, period: Period = 'today') {
  return (await client.call('get_stats', { body: { selection, period } })).body;
}

export type Stats = Awaited<ReturnType<typeof statsOf>>;
type Sections = Pick<Stats, 'inventory' | 'usage' | 'recall'>;

/** What is there, of a single Scope. */
export async function inventoryOf(client: Client, scopeId: string) {
  return (await statsOf(client, exactly(scopeId))).inventory;
}

/** Every number of the sections by its path, where a list names its members by what they count. */
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

/** The figures of several sections added up: null wins, and what one does not have counts nothing in it. */
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
