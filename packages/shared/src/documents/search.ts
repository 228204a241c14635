import type { SearchedFamily } from '@continuity/contract';
import {
  column,
  type Sql,
  type Statement,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import type { JsonObject } from '@continuity/kernel/json';
import { scopeKey } from '../scopes/index.ts';
import {
  type CorpusCache,
  type CorpusId,
  type CorpusRow,
  firstBatchTerm,
  type LexicalQuery,
  scoreLargeCorpus,
  scoreSmallCorpus,
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
    WHERE t.tenant_id = $1 AND t.scope_key = ${scopeKey} AND t.family = $9
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
};

/** SQL that joins the head `b` of a search with its revision `r`. */
export const headRevision = `CROSS JOIN LATERAL (
       SELECT r.content, r.sources, r.artifacts, r.created_at FROM artifact_revisions r
       WHERE r.tenant_id = $1 AND r.artifact_key = b.artifact_key AND r.revision = b.head_revision OFFSET 0
     ) AS r`;

/** Builds the SQL of a lexical search of heads, for a small and for a large corpus: the best $8, by score and then by id. */
export function buildHeadSearch({ admitted = '', parameters = 0, columns, from }: HeadSearchParts): {
  small: string;
  large: string;
} {
  const text = (scoring: string): string => `
   WITH ${corpus}, ${scoring}, best AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id, a.head_revision, s.score
     FROM scored s ${admitted} CROSS JOIN LATERAL (
       SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = s.artifact_key OFFSET 0
     ) AS a
     ORDER BY s.score DESC, a.artifact_id LIMIT $8
   )
   SELECT c.total, c.languages, h.*
   FROM corpus c LEFT JOIN (
     SELECT b.artifact_id, b.head_revision AS revision, b.score, ${columns}
     FROM best b ${from}
   ) AS h ON true
   ORDER BY h.score DESC, h.artifact_id`;
  return {
    small: text(scoreSmallCorpus(termIndex)),
    large: text(scoreLargeCorpus(termIndex, `$${10 + parameters}::bigint`)),
  };
}

/**
 * Searches the heads of a Family in a Scope lexically (spec 20 S6 to S8) by the statements of `buildHeadSearch`. No row for an unknown
 * Scope; one row without a hit for a query without a term. `values` are those of the parameters of `admitted`.
 */
export function searchHeads<Row extends CorpusRow>(
  sql: Sql,
  cache: CorpusCache,
  family: SearchedFamily,
  statements: { small: Statement<Row>; large: Statement<Row> },
  query: LexicalQuery,
  values: unknown[] = [],
): Promise<Row[]> {
  const id = documentCorpus(query.tenantId, query.scopeId, family);
  const search = {
    corpus: id,
    ...statements,
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

const contentTexts = buildHeadSearch({ columns: 'r.content, r.created_at', from: headRevision });

const contentRow = {
  ...corpusColumns,
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  content: tables.artifact_revisions.content,
  created_at: tables.artifact_revisions.created_at.orNull(),
  score: column.double,
};

const contentStatements = {
  small: statement('search_few_documents', contentTexts.small, contentRow),
  large: statement('search_many_documents', contentTexts.large, contentRow),
};

/**
 * Searches the heads of a Family in a Scope lexically, with their content. Orders hits by score and then by id. Returns none for an
 * unknown Scope and for a query without a term.
 */
export async function searchDocuments<Content = JsonObject>(
  sql: Sql,
  cache: CorpusCache,
  family: SearchedFamily,
  query: LexicalQuery,
): Promise<DocumentHit<Content>[]> {
  const rows = await searchHeads(sql, cache, family, contentStatements, query);
  return rows.flatMap(({ artifact_id, revision, content, created_at, score }) =>
    content === null || created_at === null
      ? []
      : [{ artifact_id, revision, content: JSON.parse(content) as Content, created_at, score }],
  );
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
