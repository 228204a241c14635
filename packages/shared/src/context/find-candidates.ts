import type { Database, Sql } from '@continuity/shared/kernel';
import { searchExperiences } from '../experience/index.ts';
import { type ReadQuery, type Searching, searchScope } from '../memory/index.ts';
import { type Candidate, experienceCandidate, memoryCandidate } from './candidate.ts';
import { experienceHits, memoryHits } from './order.ts';

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
  { tenantId, currentScopeId, query }: Question,
  scopeId: string,
): Promise<Offer> {
  const [{ hits }, experiences] = await Promise.all([
    searchScope(onSnapshot(searching, sql), { tenantId, scopeId, limit: memoryHits }, query),
    searchExperiences(sql, { tenantId, scopeId, query: query.terms, limit: experienceHits }),
  ]);
  return {
    memory: hits.flatMap(
      ({ citation, text }) => memoryCandidate(currentScopeId, scopeId, citation, text) ?? [],
    ),
    experiences: experiences.flatMap(({ artifact_id, revision, content }) => {
      const artifact = { family: 'experience', artifact_id, revision };
      return experienceCandidate(currentScopeId, scopeId, artifact, content) ?? [];
    }),
  };
}

/** The same searching, on an open snapshot in place of the pool. */
function onSnapshot(searching: Searching, sql: Sql): Searching {
  const database: Database = { ...searching.database, sql, snapshot: (work) => work(sql) };
  return { ...searching, database };
}
