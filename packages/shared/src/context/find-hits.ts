import type { ScopeKey, Sql, TenantId } from '@continuity/kernel/database';
import { type ExperienceHit, experienceCorpus, searchExperiences } from '../experience/index.ts';
import {
  type ParsedQuery,
  rerankIfPossible,
  type SearchAnswer,
  type SearchDeps,
  searchOnSnapshot,
  widenForReranker,
} from '../memory/index.ts';
import type { RecordUseDeps } from '../usage/index.ts';
import { toExperienceHit, toMemoryHit } from './context-hit.ts';
import { type ReferencedScope, readContextScopes } from './referenced-scopes.ts';
import type { RankedHits } from './trial-order.ts';

/** One search over all Scopes of a context. */
export interface ContextSearch {
  tenantId: TenantId;
  /** The Scope that the context is for. */
  currentScopeId: string;
  query: ParsedQuery;
  /** The time of the Memory that is searched, as `ScopeSearch` has it. */
  asOf?: string | null | undefined;
  /** Limit of Memory hits in each Scope. */
  memoryHits: number;
  /** Limit of Experiences in each Scope. */
  experienceHits: number;
}

/** The results of the searches in one Scope. */
export interface ScopeHits {
  scopeId: string;
  /** Before the reranker. */
  memory: SearchAnswer;
  experiences: ExperienceHit[];
}

export interface FoundHits {
  /** Key of the current Scope. */
  scopeKey: ScopeKey;
  /** The current Scope, then the referenced ones. */
  scopes: ScopeHits[];
  /** Whether a referenced Scope has an active entry or an Experience. */
  hasReferencedMemory: boolean;
}

/**
 * Searches a Scope and the Scopes that it refers to (spec 20 P2, P3); undefined for an unknown Scope. Takes two round trips, and
 * three with an embedding model: the search of the Scope itself shares the first one with the read of its references.
 *
 * @param sql one snapshot
 */
export async function findHits(
  sql: Sql,
  searchDeps: SearchDeps,
  search: ContextSearch,
): Promise<FoundHits | undefined> {
  const { tenantId, currentScopeId } = search;
  const searchReferenced = async () => {
    const scopes = await readContextScopes(sql, tenantId, currentScopeId);
    if (scopes === undefined) return undefined;
    const { referenced, scopeKey } = scopes;
    fillCorpusCache(searchDeps, tenantId, referenced);
    const hits = await Promise.all(
      referenced.map(({ scopeId }) => searchScope(searchDeps, sql, search, scopeId)),
    );
    const hasReferencedMemory = referenced.some(
      ({ entries, experiences }) => entries.total + experiences.total > 0,
    );
    return { scopeKey, hits, hasReferencedMemory };
  };
  const [rest, current] = await Promise.all([
    searchReferenced(),
    searchScope(searchDeps, sql, search, currentScopeId),
  ]);
  if (rest === undefined) return undefined;
  const { hits, ...others } = rest;
  return { ...others, scopes: [current, ...hits] };
}

/** Fills the cache of the search, so that each lexical search of a referenced Scope is one statement. */
function fillCorpusCache(
  { corpusCache }: SearchDeps,
  tenantId: TenantId,
  referenced: readonly ReferencedScope[],
): void {
  for (const { scopeId, entries, experiences } of referenced) {
    corpusCache.set({ tenantId, scopeId }, entries);
    corpusCache.set(experienceCorpus(tenantId, scopeId), experiences);
  }
}

async function searchScope(
  searchDeps: SearchDeps,
  sql: Sql,
  search: ContextSearch,
  scopeId: string,
): Promise<ScopeHits> {
  const { tenantId, query, memoryHits, asOf } = search;
  const memorySearch = widenForReranker(searchDeps, { tenantId, scopeId, limit: memoryHits, asOf });
  const [memory, experiences] = await Promise.all([
    searchOnSnapshot(searchDeps, sql, memorySearch, query),
    findExperiences(searchDeps, sql, search, scopeId),
  ]);
  return { scopeId, memory, experiences };
}

function findExperiences(
  { corpusCache }: SearchDeps,
  sql: Sql,
  { tenantId, query, experienceHits }: ContextSearch,
  scopeId: string,
): Promise<ExperienceHit[]> {
  const lexicalQuery = { tenantId, scopeId, query: query.words, limit: experienceHits };
  return searchExperiences(sql, corpusCache, lexicalQuery);
}

/** The hits of one Scope, and whether a reranker ordered those of Memory. */
export interface RankedScope extends RankedHits {
  isReranked: boolean;
}

/**
 * The hits of one Scope, best first. Keeps the fused order if there is no reranker or it fails (spec 20 P3). A Memory hit below
 * a fifth of the best score is left out: it costs tokens and rarely helps (spec 25 Q10).
 */
export async function rankHits(
  searchDeps: SearchDeps,
  usageDeps: RecordUseDeps,
  { tenantId, currentScopeId, query, memoryHits }: ContextSearch,
  { scopeId, memory, experiences }: ScopeHits,
): Promise<RankedScope> {
  const search = { tenantId, scopeId, limit: memoryHits };
  const { hits, isReranked = false } = await rerankIfPossible(
    searchDeps,
    usageDeps,
    search,
    query,
    relevantHits(memory),
  );
  return {
    memory: hits.flatMap((hit) => toMemoryHit(currentScopeId, scopeId, hit) ?? []),
    experiences: experiences.flatMap((hit) => toExperienceHit(currentScopeId, scopeId, hit) ?? []),
    isReranked,
  };
}

/** The hits that can become items: at least a fifth of the best score. */
export function relevantHits(answer: SearchAnswer): SearchAnswer {
  const best = Math.max(0, ...answer.hits.map(({ score }) => score));
  return { ...answer, hits: answer.hits.filter(({ score }) => score >= best / 5) };
}
