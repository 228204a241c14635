import type { ExperienceContent } from '@continuity/contract/experience';
import { type Sql, type Statement, statement } from '@continuity/shared/kernel';
import {
  documentHits,
  documentParameters,
  documentSpace,
  fewDocumentHits,
  hasManyDocuments,
  languagesOfDocuments,
} from '../documents/index.ts';
import {
  coversLanguages,
  type KnownLanguages,
  type LexicalQuery,
  type TermSpace,
  wordsOf,
} from '../lexical/index.ts';

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
   SELECT s.languages, h.*
   FROM scope s LEFT JOIN (
     SELECT b.artifact_id, b.head_revision AS revision, r.content, b.score
     FROM best b CROSS JOIN LATERAL (
       SELECT r.content FROM artifact_revisions r
       WHERE r.tenant_id = $1 AND r.artifact_key = b.artifact_key AND r.revision = b.head_revision OFFSET 0
     ) AS r
   ) AS h ON true
   ORDER BY h.score DESC, h.artifact_id`;

const searchMany = statement('search_experiences', bestOf(documentHits));
const searchFew = statement('search_few_experiences', bestOf(fewDocumentHits));

/** Whether `searchFewExperiences` leaves the Scope of a row out. */
export const hasManyExperiences = (scope: string): string => hasManyDocuments(scope, 'experience');

/** The languages of the Experiences in the Scope of a row. */
export const languagesOfExperiences = (scope: string): string => languagesOfDocuments(scope, 'experience');

/** The index terms of a Scope's Experiences. */
export const experienceSpace = (tenantId: number, scopeId: string): TermSpace =>
  documentSpace(tenantId, scopeId, 'experience');

/**
 * The lexical channel over situation, action, outcome and lesson of a Scope's current Experience heads, best first, equal
 * ones by id (spec 20 S6 to S8, P3). One statement; a second one where there are Experiences in a language that `known` has
 * not heard of. None for an unknown Scope and for a query without a term.
 */
export const searchExperiences = searchBy(searchMany);

/** The same in half the time, but none where there are many (`hasManyExperiences`). */
export const searchFewExperiences = searchBy(searchFew);

/** Of the best; without one, a row of nulls but for the languages. */
interface HitRow extends Omit<ExperienceHit, 'content'> {
  languages: number;
  content: string;
}

type Search = (sql: Sql, known: KnownLanguages, asked: LexicalQuery) => Promise<ExperienceHit[]>;

function searchBy(search: Statement): Search {
  return async (sql, known, asked) => {
    const query = { ...asked, query: wordsOf(asked.query) };
    const space = experienceSpace(query.tenantId, query.scopeId);
    let searched = known.of(space);
    for (;;) {
      const rows = await sql.rows<HitRow>(search, documentParameters(query, searched, 'experience'));
      const [first] = rows;
      if (first === undefined) return [];
      known.note(space, first.languages);
      if (coversLanguages(searched, first.languages)) return rows.flatMap(readHit);
      searched = first.languages;
    }
  };
}

function readHit({ artifact_id, revision, content, score }: HitRow): ExperienceHit[] {
  if (artifact_id === null) return [];
  return [{ artifact_id, revision, content: JSON.parse(content) as ExperienceContent, score }];
}
