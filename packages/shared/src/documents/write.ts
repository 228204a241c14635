import type { ArtifactRef, SearchedFamily, SourceTypeRef } from '@continuity/contract';
import { pick, type Sql, statement, tables } from '@continuity/shared/kernel';
import { batchSize, projectText } from '../search/index.ts';
import { documentCorpus, firstDocumentBatch } from './corpus.ts';

/** A revision to write. */
export interface DocumentRevision {
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  /** Canonical JSON. */
  content: string;
  /** 64 hex digits. */
  contentDigest: string;
  /** The text that lexical search reads for this head. */
  searched: string;
}

/** An Artifact that the statement creates. */
export interface NewDocument {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
  family: SearchedFamily;
  artifactId: string;
}

/** A head that this transaction has locked. */
export interface DocumentHead {
  tenantId: number;
  scopeId: string;
  scopeKey: number;
  family: SearchedFamily;
  artifactKey: number;
}

const makeHead = `
  INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision) VALUES ($1, $2, $3, $4, 1)
  RETURNING artifact_key, head_revision`;

const moveHead = `
  UPDATE artifacts SET head_revision = head_revision + 1 WHERE tenant_id = $1 AND artifact_key = $4::bigint
  RETURNING artifact_key, head_revision`;

/**
 * Writes head, revision and projection in one statement. The transaction has locked the Scope's row in `source_sequences`, so no other
 * writer changes the old projection or the current batch meanwhile. Document frequencies are updated in ascending order of
 * the term, so that two writers lock the rows in the same order.
 */
const write = (head: string, before: string): string => `
  WITH head AS (${head}),
  revision AS (
    INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, sources, artifacts, content, content_digest)
    SELECT $1, artifact_key, head_revision, $5::jsonb, $6::jsonb, $7, decode($8, 'hex') FROM head
  ), before AS MATERIALIZED (${before}
  ), batch AS MATERIALIZED (
    SELECT $12::bigint + coalesce((SELECT entered FROM document_totals WHERE tenant_id = $1 AND scope_key = $2 AND family = $3),
                                  0) / ${batchSize} AS term
  ), projection AS (
    INSERT INTO document_projections (tenant_id, artifact_key, scope_key, terms, term_frequencies, length)
    SELECT $1, artifact_key, $2, batch.term || $9::bigint[], 1::smallint || $10::smallint[], $11 FROM head CROSS JOIN batch
    ON CONFLICT (tenant_id, artifact_key) DO UPDATE SET
      terms = excluded.terms, term_frequencies = excluded.term_frequencies, length = excluded.length
  ), totals AS (
    INSERT INTO document_totals AS t (tenant_id, scope_key, family, documents, total_length, entered, languages)
    SELECT $1, $2, $3, 1 - count(*), $11::int - coalesce(sum(length), 0), 1, $13 FROM before
    ON CONFLICT (tenant_id, scope_key, family) DO UPDATE SET
      documents = t.documents + excluded.documents,
      total_length = t.total_length + excluded.total_length,
      entered = t.entered + excluded.entered,
      languages = t.languages | excluded.languages
  ), terms AS (
    INSERT INTO document_terms AS t (tenant_id, scope_key, term, documents)
    SELECT $1, $2, term, sum(delta) FROM (
      SELECT unnest(batch.term || $9::bigint[]) AS term, 1 AS delta FROM batch
      UNION ALL
      SELECT unnest(terms), -1 FROM before
    ) AS counted
    GROUP BY term HAVING sum(delta) <> 0 ORDER BY term
    ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET documents = t.documents + excluded.documents
  )
  SELECT artifact_key FROM head`;

const writeFirstStatement = statement(
  'write_first_document',
  write(makeHead, 'SELECT NULL::bigint[] AS terms, NULL::smallint AS length WHERE false'),
  pick(tables.artifacts, 'artifact_key'),
);

const writeNextStatement = statement(
  'write_next_document',
  write(
    moveHead,
    'SELECT terms, length FROM document_projections WHERE tenant_id = $1 AND artifact_key = $4::bigint',
  ),
  pick(tables.artifacts, 'artifact_key'),
);

/** Writes revision one. The transaction has locked the Scope's row in `source_sequences`; `run` may append COMMIT. */
export async function writeFirst(
  run: Sql['rows'],
  document: NewDocument,
  revision: DocumentRevision,
): Promise<void> {
  await run(writeFirstStatement, valuesOf(document, document.artifactId, revision));
}

/** Writes the next revision of a locked head. The transaction has locked the Scope's row in `source_sequences`. */
export async function writeNext(
  run: Sql['rows'],
  head: DocumentHead,
  revision: DocumentRevision,
): Promise<void> {
  await run(writeNextStatement, valuesOf(head, head.artifactKey, revision));
}

function valuesOf(
  { tenantId, scopeId, scopeKey, family }: Omit<DocumentHead, 'artifactKey'>,
  which: string | number,
  { sources, artifacts, content, contentDigest, searched }: DocumentRevision,
): unknown[] {
  const corpus = documentCorpus(tenantId, scopeId, family);
  const { terms, frequencies, length, languages } = projectText(corpus, searched);
  return [
    tenantId,
    scopeKey,
    family,
    which,
    JSON.stringify(sources),
    artifacts.length === 0 ? null : JSON.stringify(artifacts),
    content,
    contentDigest,
    terms,
    frequencies,
    length,
    firstDocumentBatch(corpus),
    languages,
  ];
}
