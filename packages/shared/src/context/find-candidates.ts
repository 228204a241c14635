import type { Sql } from '@continuity/shared/kernel';
import { search } from '../memory/index.ts';
import { type Candidate, memoryCandidate } from './candidate.ts';
import { memoryHits } from './order.ts';

/** What a Scope in reach has to offer, each family best first. */
export interface Offer {
  memory: Candidate[];
  experiences: Candidate[];
}

export interface Question {
  tenantId: number;
  /** The Scope that the context is for. */
  currentScopeId: string;
  query: string;
}

/** The candidates of one Scope (spec 20 P3). Sends its statements at once, so that those of many Scopes share a round trip. */
export async function findCandidates(
  sql: Sql,
  { tenantId, currentScopeId, query }: Question,
  scopeId: string,
): Promise<Offer> {
  const { hits } = await search(sql, { tenantId, scopeId, query, limit: memoryHits, mode: 'auto' });
  const memory = hits.flatMap(
    ({ citation, text }) => memoryCandidate(currentScopeId, scopeId, citation, text) ?? [],
  );
  return { memory, experiences: [] };
}
