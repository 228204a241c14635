import type { SearchedFamily } from '@continuity/contract';
import { column, type Sql, statement, tables } from '@continuity/shared/kernel';
import { scopeKey } from '../scopes/index.ts';
import {
  type CorpusCache,
  type LexicalQuery,
  scoreLargeCorpus,
  scoreSmallCorpus,
  searchCorpus,
  type TermIndex,
} from '../search/index.ts';
import { documentCorpus, firstDocumentBatch } from './corpus.ts';

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

/** A head that matches a search. */
export interface DocumentHit {
  artifact_id: string;
  revision: number;
  /** Canonical JSON. */
  content: string;
  /** BM25; comparable within one answer only. */
  score: number;
}

/** A search without a hit has one row, with null in the columns of the hit. */
const searchRow = {
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  content: tables.artifact_revisions.content,
  score: column.double,
  total: tables.document_totals.documents,
  languages: tables.document_totals.languages,
};

const bestDocuments = (scoring: string): string => `
   WITH ${corpus}, ${scoring}, best AS MATERIALIZED (
     SELECT a.artifact_key, a.artifact_id, a.head_revision, s.score
     FROM scored s CROSS JOIN LATERAL (
       SELECT a.artifact_key, a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = s.artifact_key OFFSET 0
     ) AS a
     ORDER BY s.score DESC, a.artifact_id LIMIT $8
   )
   SELECT c.total, c.languages, h.*
   FROM corpus c LEFT JOIN (
     SELECT b.artifact_id, b.head_revision AS revision, r.content, b.score
     FROM best b CROSS JOIN LATERAL (
       SELECT r.content FROM artifact_revisions r
       WHERE r.tenant_id = $1 AND r.artifact_key = b.artifact_key AND r.revision = b.head_revision OFFSET 0
     ) AS r
   ) AS h ON true
   ORDER BY h.score DESC, h.artifact_id`;

const searchSmall = statement('search_few_documents', bestDocuments(scoreSmallCorpus(termIndex)), searchRow);
const searchLarge = statement(
  'search_many_documents',
  bestDocuments(scoreLargeCorpus(termIndex, '$10::bigint')),
  searchRow,
);

/**
 * Searches the heads of a Family in a Scope lexically (spec 20 S6 to S8). Orders hits by score and then by id. Returns none
 * for an unknown Scope and for a query without a term.
 */
export async function searchDocuments(
  sql: Sql,
  cache: CorpusCache,
  family: SearchedFamily,
  query: LexicalQuery,
): Promise<DocumentHit[]> {
  const id = documentCorpus(query.tenantId, query.scopeId, family);
  const search = { corpus: id, small: searchSmall, large: searchLarge, values: [family] };
  const rows = await searchCorpus(sql, cache, { ...search, firstBatch: firstDocumentBatch(id) }, query);
  return rows.flatMap(({ artifact_id, revision, content, score }) =>
    content === null ? [] : [{ artifact_id, revision, content, score }],
  );
}

/** SQL for the number of heads of a Family in the Scope of a row. */
export function documentsOfScope(scope: string, family: SearchedFamily): string {
  return `coalesce((
    SELECT t.documents FROM document_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key AND t.family = '${family}'), 0)`;
}

/** SQL for the languages of a Family's heads in the Scope of a row. */
export function languagesOfDocuments(scope: string, family: SearchedFamily): string {
  return `coalesce((
    SELECT t.languages FROM document_totals t
    WHERE t.tenant_id = ${scope}.tenant_id AND t.scope_key = ${scope}.scope_key AND t.family = '${family}'), 0)`;
}
