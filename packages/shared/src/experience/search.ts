import { type Sql, statement } from '@continuity/shared/kernel';
import { documentHits, documentParameters } from '../documents/index.ts';
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

const searchStatement = statement(
  'search_experiences',
  `WITH ${documentHits}, best AS MATERIALIZED (
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
   ORDER BY b.score DESC, b.artifact_id`,
);

/**
 * The lexical channel over situation, action, outcome and lesson of a Scope's current Experience heads, best first, equal
 * ones by id (spec 20 S6 to S8, P3). One statement. None for an unknown Scope and for a query without a term. `query` is
 * normalized, or analyzed already.
 */
export async function searchExperiences(sql: Sql, query: LexicalQuery): Promise<ExperienceHit[]> {
  const rows = await sql.rows<Omit<ExperienceHit, 'content'> & { content: string }>(
    searchStatement,
    documentParameters(query, 'experience'),
  );
  return rows.map(({ content, ...hit }) => ({ ...hit, content: JSON.parse(content) as ExperienceContent }));
}
