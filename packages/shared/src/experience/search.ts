import type { ExperienceContent } from '@continuity/contract/experience';
import { column, type Sql, statement, tables } from '@continuity/shared/kernel';
import { buildHeadSearch, corpusColumns, headRevision, searchHeads } from '../documents/index.ts';
import type { CorpusCache, LexicalQuery } from '../search/index.ts';

/** A head that matches a search. */
export interface ExperienceHit {
  artifact_id: string;
  revision: number;
  content: ExperienceContent;
  /** BM25; comparable within one answer only. */
  score: number;
}

const texts = buildHeadSearch({ columns: 'r.content', from: headRevision });

const row = {
  ...corpusColumns,
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  content: tables.artifact_revisions.content,
  score: column.double,
};

const statements = {
  small: statement('search_few_experiences', texts.small, row),
  large: statement('search_many_experiences', texts.large, row),
};

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
  return rows.flatMap(({ artifact_id, revision, content, score }) =>
    content === null
      ? []
      : [{ artifact_id, revision, content: JSON.parse(content) as ExperienceContent, score }],
  );
}
