import type { SearchedFamily } from '@continuity/contract';
import {
  column,
  optimizationFence,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import type { JsonObject } from '@continuity/kernel/json';
import { scopeKey } from '../scopes/index.ts';
import {
  type CorpusCache,
  type CorpusFacts,
  type CorpusId,
  type CorpusStatements,
  explainGivenTexts,
  explanationColumns,
  explanationRow,
  firstBatchTerm,
  firstOwnParameter,
  type LexicalQuery,
  maxSegments,
  queryParameters,
  type SegmentMatch,
  scoredColumns,
  scoringStatements,
  searchCorpus,
  type TermIndex,
} from '../search/index.ts';

/** Upper bound of hashed terms. */
const termLimit = 2 ** 52;

/** Returns the corpus of one Family in a Scope. Each Family has its own statistics. */
export function documentCorpus(tenantId: TenantId, scopeId: string, family: SearchedFamily): CorpusId {
  return { tenantId, scopeId, kind: family };
}

/** Returns the term of batch 0. Batch terms are smaller than hashed terms, so that they sort before them. */
export function firstDocumentBatch(corpus: CorpusId): number {
  return firstBatchTerm(corpus) - 2 * termLimit;
}

const termIndex: TermIndex = {
  texts: 'document_projections',
  identity: ['artifact_key'],
  age: 'artifact_key',
  terms: 'document_terms',
  documentFrequency: 'documents',
  ascending: `array_cat(c.terms, '{}')`,
};

/** The corpus of Family $9 in a Scope; no row if it has no heads. */
const corpus = `corpus AS (
    SELECT t.scope_key, t.documents AS total, t.entered, t.languages,
           t.total_length::float8 / nullif(t.documents, 0) AS average
    FROM document_totals t
    WHERE t.tenant_id = $1 AND t.scope_key = ${scopeKey} AND t.family = $${firstOwnParameter}
  )`;

/** SQL that a Family adds to the search of heads. */
interface HeadSearchParts {
  /** SQL that joins the candidate `s` with a condition that admits it; may use the parameters from $10 on. */
  admitted?: string;
  /** Number of the parameters that `admitted` uses. */
  parameters?: number;
  /** Further columns of a hit. */
  columns: string;
  /** SQL that joins the head `b` with the tables of `columns`. */
  from: string;
}

/** The columns of the corpus in each row. A search without a hit has one row, with null in the columns of the hit. */
export const corpusColumns = {
  total: tables.document_totals.documents,
  languages: tables.document_totals.languages,
  /** When the text of the hit was written. */
  written_at: tables.artifact_revisions.created_at.orNull(),
};

/** SQL that joins the head `b` of a search with its revision `r`. */
export const headRevision = `CROSS JOIN LATERAL (
       SELECT r.content, r.sources, r.artifacts, r.created_at FROM artifact_revisions r
       WHERE r.tenant_id = $1 AND r.artifact_key = b.artifact_key AND r.revision = b.head_revision ${optimizationFence}
     ) AS r`;

/** Builds the SQL of a lexical search of heads, for each kind of search: the best $8, of equal scores the latest (spec 25 Q6). */
export function buildHeadSearch({ admitted = '', parameters = 0, columns, from }: HeadSearchParts): {
  tiny: string;
  longOfFew: string;
  small: string;
  large: string;
  long: string;
} {
  const text = (expressions: string): string => `
   WITH ${corpus}, ${expressions}, upper AS MATERIALIZED (
     SELECT s.artifact_key, s.score FROM scored s ${admitted} ORDER BY s.score DESC FETCH FIRST $8 ROWS WITH TIES
   ), best AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id, a.head_revision, s.score, w.created_at AS written_at
     FROM upper s CROSS JOIN LATERAL (
       SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = s.artifact_key ${optimizationFence}
     ) AS a CROSS JOIN LATERAL (
       SELECT w.created_at FROM artifact_revisions w
       WHERE w.tenant_id = $1 AND w.artifact_key = a.artifact_key AND w.revision = a.head_revision ${optimizationFence}
     ) AS w
     ORDER BY s.score DESC, w.created_at DESC, a.artifact_id LIMIT $8
   )
   SELECT c.total, c.languages, h.*
   FROM corpus c LEFT JOIN (
     SELECT b.artifact_id, b.head_revision AS revision, b.score, b.written_at, ${columns}
     FROM best b ${from}
   ) AS h ON true
   ORDER BY h.score DESC, h.written_at DESC, h.artifact_id`;
  const scoring = scoringStatements(termIndex, firstOwnParameter + 1 + parameters);
  return {
    tiny: text(scoring.tiny),
    longOfFew: text(scoring.longOfFew),
    small: text(scoring.small),
    large: text(scoring.large),
    long: text(scoring.long),
  };
}

/**
 * Searches the heads of a Family in a Scope lexically (spec 20 S6 to S8) by the statements of `buildHeadSearch`. No row for an unknown
 * Scope; one row without a hit for a query without a term. `values` are those of the parameters of `admitted`.
 */
export function searchHeads<Row extends CorpusFacts>(
  sql: Sql,
  cache: CorpusCache,
  family: SearchedFamily,
  statements: CorpusStatements<Row>,
  query: LexicalQuery,
  values: unknown[] = [],
): Promise<Row[]> {
  const id = documentCorpus(query.tenantId, query.scopeId, family);
  const search = {
    corpus: id,
    statements,
    values: [family, ...values],
    firstBatch: firstDocumentBatch(id),
  };
  return searchCorpus(sql, cache, search, query);
}

/** A head that matches a search. */
export interface DocumentHit<Content = JsonObject> {
  artifact_id: string;
  revision: number;
  content: Content;
  /** When the revision was written. */
  created_at: Date;
  /** BM25; comparable within one answer only. */
  score: number;
}

const contentTexts = buildHeadSearch({ columns: 'r.content', from: headRevision });

const contentRow = {
  ...corpusColumns,
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  content: tables.artifact_revisions.content,
  score: column.double,
};

const contentStatements = {
  tiny: statement('search_very_few_documents', contentTexts.tiny, contentRow),
  longOfFew: statement('search_very_few_documents_for_long_query', contentTexts.longOfFew, contentRow),
  small: statement('search_few_documents', contentTexts.small, contentRow),
  large: statement('search_many_documents', contentTexts.large, contentRow),
  long: statement('search_documents_for_long_query', contentTexts.long, contentRow),
};

/**
 * Searches the heads of a Family in a Scope lexically, with their content. Of equal scores the latest comes first. Returns none for an
 * unknown Scope and for a query without a term.
 */
export async function searchDocuments<Content = JsonObject>(
  sql: Sql,
  cache: CorpusCache,
  family: SearchedFamily,
  query: LexicalQuery,
): Promise<DocumentHit<Content>[]> {
  const rows = await searchHeads(sql, cache, family, contentStatements, query);
  return rows.flatMap(({ artifact_id, revision, content, written_at, score }) =>
    content === null || written_at === null
      ? []
      : [{ artifact_id, revision, content: JSON.parse(content) as Content, created_at: written_at, score }],
  );
}

const explainStatement = statement(
  'explain_documents',
  `WITH ${corpus}, given AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id
     FROM unnest($${firstOwnParameter + 1}::text[]) AS named(artifact_id) CROSS JOIN LATERAL (
       SELECT a.artifact_key, a.artifact_id FROM artifacts a
       WHERE a.tenant_id = $1 AND a.scope_key = (SELECT scope_key FROM corpus) AND a.family = $${firstOwnParameter}
         AND a.artifact_id = named.artifact_id ${optimizationFence}
     ) AS a
   ), ${explainGivenTexts(
     termIndex,
     `SELECT ${scoredColumns(termIndex, 's', false)} FROM given CROSS JOIN LATERAL (
       SELECT * FROM document_projections s WHERE s.tenant_id = $1 AND s.artifact_key = given.artifact_key ${optimizationFence}
     ) AS s`,
   )}
   SELECT g.artifact_id, ${explanationColumns} FROM explained JOIN given g USING (artifact_key) LIMIT ${maxSegments} * $8::int`,
  { artifact_id: tables.artifacts.artifact_id, ...explanationRow },
);

/**
 * What heads of a Family hold of the segments of a query, by `artifact_id`; none for one without a query term. Call it after the search
 * of the Scope on the same snapshot, which fills the cache.
 */
export async function explainDocuments(
  sql: Sql,
  cache: CorpusCache,
  family: SearchedFamily,
  query: Omit<LexicalQuery, 'limit'>,
  artifactIds: readonly string[],
): Promise<Map<string, SegmentMatch[]>> {
  if (artifactIds.length === 0) return new Map();
  const id = documentCorpus(query.tenantId, query.scopeId, family);
  const asked = { ...query, limit: artifactIds.length };
  const parameters = queryParameters(asked, id, cache.get(id).languages);
  const rows = await sql.rows(explainStatement, [...parameters, family, artifactIds]);
  return Map.groupBy(rows, ({ artifact_id }) => artifact_id);
}

/** SQL for the number of heads of a Family in the Scope of a row. */
export function documentsOfScope(scope: string, family: SearchedFamily): string {
  return totalOfScope('documents', scope, family);
}

/** SQL for the languages of a Family's heads in the Scope of a row. */
export function languagesOfDocuments(scope: string, family: SearchedFamily): string {
  return totalOfScope('languages', scope, family);
}

function totalOfScope(column: 'documents' | 'languages', scope: string, family: SearchedFamily): string {
  return `coalesce((
    SELECT t.${column} FROM document_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key AND t.family = '${family}'), 0)`;
}
