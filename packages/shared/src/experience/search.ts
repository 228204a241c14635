import type { ExperienceContent } from '@continuity/contract/experience';
import { column, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import {
  buildHeadSearch,
  corpusColumns,
  documentCorpus,
  documentsOfScope,
  headRevision,
  languagesOfDocuments,
  searchHeads,
} from '../documents/index.ts';
import type { CorpusCache, CorpusId, LexicalQuery } from '../search/index.ts';

/** A head that matches a search. */
export interface ExperienceHit {
  artifact_id: string;
  revision: number;
  content: ExperienceContent;
  /** When the revision was approved. */
  created_at: Date;
  /** BM25; comparable within one answer only. */
  score: number;
}

const texts = buildHeadSearch({ columns: 'r.content, r.created_at', from: headRevision });

const row = {
  ...corpusColumns,
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  content: tables.artifact_revisions.content,
  created_at: tables.artifact_revisions.created_at.orNull(),
  score: column.double,
};

const statements = {
  small: statement('search_few_experiences', texts.small, row),
  large: statement('search_many_experiences', texts.large, row),
};

/** SQL for the number of Experiences in the Scope of a row. */
export const experiencesOfScope = (scope: string): string => documentsOfScope(scope, 'experience');

/** SQL for the languages of the Experiences in the Scope of a row. */
export const languagesOfExperiences = (scope: string): string => languagesOfDocuments(scope, 'experience');

/** Returns the corpus of a Scope's Experiences. */
export const experienceCorpus = (tenantId: TenantId, scopeId: string): CorpusId =>
  documentCorpus(tenantId, scopeId, 'experience');

/**
 * Searches situation, action, outcome and lesson of a Scope's Experience heads lexically (spec 20 S6 to S8, P3). Orders hits
 * by score and then by id. Returns none for an unknown Scope and for a query without a term.
 */
export async function searchExperiences(
  sql: Sql,
  cache: CorpusCache,
  query: LexicalQuery,
): Promise<ExperienceHit[]> {
  const rows = await searchHeads(sql, cache, 'experience', statements, query);
  return rows.flatMap(({ artifact_id, revision, content, created_at, score }) =>
    content === null || created_at === null
      ? []
      : [{ artifact_id, revision, content: JSON.parse(content) as ExperienceContent, created_at, score }],
  );
}
