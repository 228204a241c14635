import type { Database, Sql } from '@continuity/shared/kernel';
import { experienceSpace, searchExperiences, searchFewExperiences } from '../experience/index.ts';
import {
  poolOf,
  type ReadQuery,
  rerankIfPossible,
  type SearchAnswer,
  type Searching,
  searchOnSnapshot,
} from '../memory/index.ts';
import type { UseLedger } from '../usage/index.ts';
import { type Candidate, experienceCandidate, memoryCandidate } from './candidate.ts';
import { type ContextScopes, type ReadScope, readContextScopes } from './referenced-scopes.ts';
import { experienceHits, memoryHits, type ScopeCandidates } from './trial-order.ts';

/** One search over all Scopes of a context. */
export interface ContextSearch {
  tenantId: number;
  /** The Scope that the context is for. */
  currentScopeId: string;
  query: ReadQuery;
}

/** What a search found in one Scope. */
export interface ScopeHits {
  scopeId: string;
  /** Before the reranker. */
  memory: SearchAnswer;
  experiences: Candidate[];
}

export interface FoundCandidates {
  /** Key of the current Scope. */
  scopeKey: number;
  /** The current Scope, then the referenced ones. */
  scopes: ScopeHits[];
}

/**
 * Searches a Scope and the Scopes that it refers to on one snapshot (spec 20 P2, P3); undefined for an unknown Scope. Takes two
 * round trips: the search of the Scope itself shares the first one with the read of its references.
 */
export function findCandidates(
  database: Database,
  searching: Searching,
  search: ContextSearch,
): Promise<FoundCandidates | undefined> {
  const { tenantId, currentScopeId } = search;
  return database.snapshot(async (sql) => {
    const searchReferenced = async () => {
      const scopes = await readContextScopes(sql, tenantId, currentScopeId);
      if (scopes === undefined) return undefined;
      const { current, referenced, scopeKey } = scopes;
      fillSearchCaches(searching, tenantId, scopes);
      const [experiences, ...hits] = await Promise.all([
        current.hasManyExperiences ? findExperiences(searching, sql, search, current) : undefined,
        ...referenced.map((scope) => searchScope(searching, sql, search, scope)),
      ]);
      return { scopeKey, experiences, hits };
    };
    // Most Scopes have few Experiences; if this one has many, `searchReferenced` searches them again.
    const assumed = { scopeId: currentScopeId, hasManyExperiences: false };
    const [rest, current] = await Promise.all([
      searchReferenced(),
      searchScope(searching, sql, search, assumed),
    ]);
    if (rest === undefined) return undefined;
    const experiences = rest.experiences ?? current.experiences;
    return { scopeKey: rest.scopeKey, scopes: [{ ...current, experiences }, ...rest.hits] };
  });
}

/** Fills the caches of the search, so that each search that follows takes one round trip. */
function fillSearchCaches(
  { known }: Searching,
  tenantId: number,
  { current, referenced }: ContextScopes,
): void {
  for (const { scopeId, entries, languages } of referenced) {
    known.sizes.note({ tenantId, scopeId }, entries);
    known.languages.note({ tenantId, scopeId }, languages);
  }
  for (const { scopeId, languagesOfExperiences } of [current, ...referenced]) {
    known.languages.note(experienceSpace(tenantId, scopeId), languagesOfExperiences);
  }
}

async function searchScope(
  searching: Searching,
  sql: Sql,
  search: ContextSearch,
  scope: ReadScope,
): Promise<ScopeHits> {
  const { tenantId, currentScopeId, query } = search;
  const { scopeId } = scope;
  const mostTrips = scopeId === currentScopeId ? 2 : 1;
  const memorySearch = poolOf(searching, { tenantId, scopeId, limit: memoryHits, mostTrips });
  const [memory, experiences] = await Promise.all([
    searchOnSnapshot(searching, sql, memorySearch, query),
    findExperiences(searching, sql, search, scope),
  ]);
  return { scopeId, memory, experiences };
}

async function findExperiences(
  { known }: Searching,
  sql: Sql,
  { tenantId, currentScopeId, query }: ContextSearch,
  { scopeId, hasManyExperiences }: ReadScope,
): Promise<Candidate[]> {
  const search = hasManyExperiences ? searchExperiences : searchFewExperiences;
  const lexicalQuery = { tenantId, scopeId, query: query.words, limit: experienceHits };
  const hits = await search(sql, known.languages, lexicalQuery);
  return hits.flatMap((hit) => experienceCandidate(currentScopeId, scopeId, hit) ?? []);
}

/** The candidates of one Scope, best first. Keeps the fused order if there is no reranker or it fails (spec 20 P3). */
export async function rankCandidates(
  searching: Searching,
  ledger: UseLedger,
  { tenantId, currentScopeId, query }: ContextSearch,
  { scopeId, memory, experiences }: ScopeHits,
): Promise<ScopeCandidates> {
  const search = { tenantId, scopeId, limit: memoryHits };
  const { hits } = await rerankIfPossible(searching, ledger, search, query, memory);
  return { memory: hits.flatMap((hit) => memoryCandidate(currentScopeId, scopeId, hit) ?? []), experiences };
}
