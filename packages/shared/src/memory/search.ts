import { type ArtifactRef, normalizeText, ServiceError, type Sql } from '@continuity/shared/kernel';
import { fuseRanks } from '../lexical/index.ts';
import { citationOf, memoryRef, scopeMemoryId } from './entry.ts';
import { type LexicalHit, searchLexically } from './lexical-search.ts';
import type { SearchHit } from './shapes.ts';

export type SearchMode = 'auto' | 'fts' | 'vector' | 'hybrid';

export interface Search {
  tenantId: number;
  scopeId: string;
  query: string;
  limit: number;
  mode: SearchMode;
}

export interface SearchAnswer {
  memory: ArtifactRef | null;
  mode: 'fts' | null;
  hits: SearchHit[];
}

/** Candidates of a channel for `n` wanted hits (spec 20 S5). */
function channelSize(n: number): number {
  return Math.max(4 * n, 32);
}

/** The best active entries of a Scope for a query (spec 20 S1 to S5, S10). One statement, so one snapshot. */
export async function search(
  sql: Sql,
  { tenantId, scopeId, query, limit, mode }: Search,
): Promise<SearchAnswer> {
  requireCapability(mode);
  const found = await searchLexically(sql, {
    tenantId,
    scopeId,
    query: normalizeText(query),
    limit: channelSize(limit),
  });
  if (found.headRevision === null) return { memory: null, mode: null, hits: [] };
  const fused = fuseRanks([{ name: 'fts', ranked: found.hits }], identify, compareIds);
  return {
    memory: memoryRef(scopeMemoryId, found.headRevision),
    mode: 'fts',
    hits: fused.slice(0, limit).map(({ item, score, matchedBy }) => ({
      citation: citationOf(memoryRef(item.artifact_id, item.head_revision), item),
      text: item.text,
      score,
      matched_by: [...matchedBy],
    })),
  };
}

/** Checked before anything is read, so that an empty Scope answers the same (S4). */
function requireCapability(mode: SearchMode): void {
  if (mode === 'auto' || mode === 'fts') return;
  throw new ServiceError(
    'capability_not_supported',
    `This deployment has no embedding model, so it cannot search in mode ${mode}. Use auto or fts.`,
    { capability: mode },
  );
}

function identify(hit: LexicalHit): string {
  return `${hit.artifact_id} ${hit.entry_id}`;
}

/** Ascending bytes of `artifact_id`, `entry_id`, `entry_version_id`; all three are ASCII. */
function compareIds(left: LexicalHit, right: LexicalHit): number {
  const a = `${identify(left)} ${left.entry_version_id}`;
  const b = `${identify(right)} ${right.entry_version_id}`;
  return a < b ? -1 : Number(a > b);
}
