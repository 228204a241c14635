import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import { documentHits, documentParameters, fewDocumentHits, hasManyDocuments } from '../documents/index.ts';
import type { LexicalQuery } from '../lexical/index.ts';
import type { ExperienceContent } from './shapes.ts';

/** A current head that was found. */
export interface ExperienceHit {
  artifact_id: string;
  revision: number;
  content: ExperienceContent;
  /** BM25; compares inside one answer only. */
  score: number;
}

const bestOf = (hits: string): string => `
   WITH ${hits}, best AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id, a.head_revision, s.score
     FROM scored s CROSS JOIN LATERAL (
       SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = s.artifact_key OFFSET 0
     ) AS a
     ORDER BY s.score DESC, a.artifact_id LIMIT $8
   )
   SELECT b.artifact_id, b.head_revision AS revision, r.content, b.score
   FROM best b CROSS JOIN LATERAL (
     SELECT r.content FROM artifact_revisions r
     WHERE r.tenant_id = $1 AND r.artifact_key = b.artifact_key AND r.revision = b.head_revision OFFSET 0
   ) AS r
   ORDER BY b.score DESC, b.artifact_id`;

const searchMany = statement('search_experiences', bestOf(documentHits));
const searchFew = statement('search_few_experiences', bestOf(fewDocumentHits));

/** Whether `searchFewExperiences` leaves the Scope of a row out. */
export const hasManyExperiences = (scope: string): string => hasManyDocuments(scope, 'experience');

/**
 * The lexical channel over situation, action, outcome and lesson of a Scope's current Experience heads, best first, equal
 * ones by id (spec 20 S6 to S8, P3). One statement. None for an unknown Scope and for a query without a term. `query` is
 * normalized, or analyzed already.
 */
export function searchExperiences(sql: Sql, query: LexicalQuery): Promise<ExperienceHit[]> {
  return run(sql, searchMany, query);
}

/** The same in half the time, but none where there are many (`hasManyExperiences`). */
export function searchFewExperiences(sql: Sql, query: LexicalQuery): Promise<ExperienceHit[]> {
  return run(sql, searchFew, query);
}

async function run(sql: Sql, search: Statement, query: LexicalQuery): Promise<ExperienceHit[]> {
  const values = documentParameters(query, 'experience');
  const rows = await sql.rows<Omit<ExperienceHit, 'content'> & { content: string }>(search, values);
  return rows.map(({ content, ...hit }) => ({ ...hit, content: JSON.parse(content) as ExperienceContent }));
}
