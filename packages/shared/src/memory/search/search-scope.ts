import type { ArtifactRef } from '@continuity/shared/kernel';
import { fuseRanks } from '../../lexical/index.ts';
import { citationOf, memoryRef, scopeMemoryId } from '../entry.ts';
import { type LexicalHit, searchLexically } from '../lexical-search.ts';
import type { SearchHit } from '../shapes.ts';
import type { Searching } from './port.ts';
import type { ReadQuery } from './read-query.ts';

export interface ScopeSearch {
  tenantId: number;
  scopeId: string;
  /** Most hits. */
  limit: number;
}

export interface SearchAnswer {
  /** Null where the Scope has no Memory; then `mode` is null too. */
  memory: ArtifactRef | null;
  /** The mode that ran. */
  mode: 'fts' | 'vector' | 'hybrid' | null;
  /** Best first. */
  hits: SearchHit[];
}

/** Candidates of a channel for `n` wanted hits (spec 20 S5). */
function channelSize(n: number): number {
  return Math.max(4 * n, 32);
}

/** The best active entries of one Scope for a query, all of one snapshot (spec 20 S1 to S5, S10). */
export async function searchScope(
  { database }: Searching,
  { tenantId, scopeId, limit }: ScopeSearch,
  { terms }: ReadQuery,
): Promise<SearchAnswer> {
  const found = await searchLexically(database.sql, {
    tenantId,
    scopeId,
    query: terms,
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

function identify(hit: LexicalHit): string {
  return `${hit.artifact_id} ${hit.entry_id}`;
}

/** Ascending bytes of `artifact_id`, `entry_id`, `entry_version_id`; all three are ASCII. */
function compareIds(left: LexicalHit, right: LexicalHit): number {
  const a = `${identify(left)} ${left.entry_version_id}`;
  const b = `${identify(right)} ${right.entry_version_id}`;
  return a < b ? -1 : Number(a > b);
}
