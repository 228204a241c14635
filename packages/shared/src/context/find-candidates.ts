import type { SearchHit } from '@continuity/contract/memory';
import type { Sql } from '@continuity/shared/kernel';
import { searchExperiences, searchFewExperiences } from '../experience/index.ts';
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
import { experienceHits, memoryHits } from './order.ts';
import type { ReadScope } from './reach.ts';

/** What was found in a Scope. */
export interface Found {
  scopeId: string;
  memory: SearchAnswer;
  /** What becomes of a hit of `memory`: nothing where it has nothing to say. */
  candidateOf: (hit: SearchHit) => Candidate | undefined;
  experiences: Candidate[];
}

/** What a Scope in reach has to offer, each family best first. */
export interface Offer {
  memory: Candidate[];
  experiences: Candidate[];
}

/** What is looked for in each Scope. */
export interface Question {
  tenantId: number;
  /** The Scope that the context is for. */
  currentScopeId: string;
  query: ReadQuery;
}

/**
 * The candidates of one Scope on a snapshot (spec 20 P3). Statements are sent at once, so that those of many Scopes share a
 * round trip.
 */
export async function findCandidates(
  searching: Searching,
  sql: Sql,
  question: Question,
  scope: ReadScope,
): Promise<Found> {
  const { tenantId, currentScopeId, query } = question;
  const { scopeId } = scope;
  // Of three round trips the last one is for the counters, and what the Scope refers to is known after the first.
  const mostTrips = scopeId === currentScopeId ? 2 : 1;
  const search = poolOf(searching, { tenantId, scopeId, limit: memoryHits, mostTrips });
  const findMemory = async () => {
    const memory = await searchOnSnapshot(searching, sql, search, query);
    const candidateOf = candidatesOnce(currentScopeId, scopeId);
    // While the server is still at the next search.
    for (const hit of memory.hits.slice(0, memoryHits)) candidateOf(hit);
    return { memory, candidateOf };
  };
  const [found, experiences] = await Promise.all([
    findMemory(),
    // The server is at the first search while this process makes the values of the second one.
    flushed().then(() => findExperiences(searching, sql, question, scope)),
  ]);
  return { scopeId, ...found, experiences };
}

/** The candidates of hits in a Scope, each made once. */
function candidatesOnce(currentScopeId: string, scopeId: string): Found['candidateOf'] {
  const made = new Map<SearchHit, Candidate | undefined>();
  return (hit) => {
    if (!made.has(hit)) made.set(hit, memoryCandidate(currentScopeId, scopeId, hit));
    return made.get(hit);
  };
}

/** After what was sent in this tick has gone out, and before anything comes in. */
export function flushed(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** The Experiences among them. */
export async function findExperiences(
  { known }: Searching,
  sql: Sql,
  { tenantId, currentScopeId, query }: Question,
  { scopeId, hasManyExperiences }: ReadScope,
): Promise<Candidate[]> {
  const search = hasManyExperiences ? searchExperiences : searchFewExperiences;
  const asked = { tenantId, scopeId, query: query.words, limit: experienceHits };
  const hits = await search(sql, known.languages, asked);
  return hits.flatMap((hit) => experienceCandidate(currentScopeId, scopeId, hit) ?? []);
}

/** The candidates in their order: the reranker's, where there is one that answers, else the fused one. */
export async function offerOf(
  searching: Searching,
  ledger: UseLedger,
  { tenantId, query }: Question,
  { scopeId, memory, candidateOf, experiences }: Found,
): Promise<Offer> {
  const search = { tenantId, scopeId, limit: memoryHits };
  const { hits } = await rerankIfPossible(searching, ledger, search, query, memory);
  return { memory: hits.flatMap((hit) => candidateOf(hit) ?? []), experiences };
}
