import { ServiceError } from '../../errors.ts';
import type { ResponseOf } from '../../types.ts';
import type { Context } from '../context.ts';

type ScopeStats = ResponseOf<'get_stats'>['by_scope'][number];

/** One finding. */
export interface Check {
  name: string;
  isOk: boolean;
  /** The service works, but probably not as intended. */
  isWarning?: boolean;
  /** The finding, with advice. */
  message: string;
}

/** Scopes that one line names. */
const maxNamed = 5;

/** Says how the service searches. */
export function checkSearch({ search_modes }: ResponseOf<'get_capabilities'>): Check {
  const hasVectors = search_modes.includes('vector');
  return {
    name: 'search',
    isOk: true,
    message: hasVectors
      ? 'by words and by meaning'
      : 'search by words only: no embedding model is configured. See docs/embeddings.md.',
  };
}

/** Warns of Scopes that hooks or agents read, and nobody writes: they use another Scope than what captures and remembers. */
export async function checkScopes({ client, settings }: Context): Promise<Check[]> {
  const stats = await client
    .getStats({ selection: { mode: 'all' }, period: '7d' })
    .catch((error: unknown) => {
      // Too many Scopes for one answer.
      if (error instanceof ServiceError && error.status === 422) return undefined;
      throw error;
    });
  if (stats === undefined) return [];
  const name = 'scopes';
  const { scope } = settings;
  const warnings: Check[] = [];
  const read = stats.by_scope.filter(
    (one) => isUnwritten(one) && (one.recall.totals.preparations > 0 || one.scope_id === scope),
  );
  if (read.length > 0)
    warnings.push({ name, isOk: true, isWarning: true, message: `${describe(read)} ${advice}` });
  if (scope !== undefined && !stats.scope_ids.includes(scope)) {
    const message = `${JSON.stringify(scope)} does not exist: who reads it gets nothing. ${advice}`;
    warnings.push({ name, isOk: true, isWarning: true, message });
  }
  if (warnings.length > 0) return warnings;
  return [{ name, isOk: true, message: `${stats.scope_ids.length}, none is read without being written` }];
}

const advice = 'Give hooks, agents and commands the same Scope (--scope, CONTINUITY_SCOPE, a profile).';

function isUnwritten({ inventory: { sources, artifacts, memory } }: ScopeStats): boolean {
  return sources.total === 0 && artifacts.total === 0 && memory.entries.total === 0;
}

function describe(scopes: ScopeStats[]): string {
  const named = scopes.slice(0, maxNamed).map(({ scope_id, recall }) => {
    return `${JSON.stringify(scope_id)} (${recall.totals.preparations} contexts in 7 days)`;
  });
  const others = scopes.length > maxNamed ? [`${scopes.length - maxNamed} more`] : [];
  return `read, and nothing was ever written: ${[...named, ...others].join(', ')}.`;
}
