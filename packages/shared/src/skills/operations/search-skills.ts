import { column, type Sql, statement, tables } from '@continuity/kernel/database';
import { buildHeadSearch, corpusColumns, headRevision, searchHeads } from '../../documents/index.ts';
import { AnalyzedQuery, type CorpusCache } from '../../search/index.ts';
import { type LibraryQuery, type LibraryRow, shownColumns, shownTypes } from './list-skills.ts';

const managed = (head: string, condition = ''): string => `CROSS JOIN LATERAL (
       SELECT * FROM managed_skills m WHERE m.tenant_id = $1 AND m.artifact_key = ${head}.artifact_key ${condition} OFFSET 0
     ) AS m`;

const texts = buildHeadSearch({
  admitted: managed('s', 'AND m.lifecycle_state = ANY($10::text[])'),
  parameters: 1,
  columns: shownColumns,
  from: `${headRevision} ${managed('b')}`,
});

const row = {
  ...corpusColumns,
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  score: column.double,
  ...shownTypes,
};

const statements = {
  small: statement('search_few_skills', texts.small, row),
  large: statement('search_many_skills', texts.large, row),
};

/**
 * Searches the heads of a Scope's Skills (spec 40 §6.4): those that hold at least one word of the query, best first and then by id.
 * Returns none for a query without a word.
 */
export async function searchSkills(
  sql: Sql,
  cache: CorpusCache,
  { tenantId, scopeId, includeDeprecated, limit }: LibraryQuery,
  query: string,
): Promise<LibraryRow[]> {
  const search = { tenantId, scopeId, query: new AnalyzedQuery(query), limit, required: () => 1 };
  const states = includeDeprecated ? ['active', 'deprecated'] : ['active'];
  const rows = await searchHeads(sql, cache, 'skill', statements, search, [states]);
  return rows.filter(({ content }) => content !== null);
}
