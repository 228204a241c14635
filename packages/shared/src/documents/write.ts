import type { ArtifactRef, SearchedFamily, SourceTypeRef } from '@continuity/contract';
import {
  type ArtifactKey,
  type PrismaTransaction,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
} from '@continuity/kernel/database';
import { runInSlices } from '@continuity/kernel/fairness';
import { arrayLiteral, batchSize, type Projection, projectSteps } from '../search/index.ts';
import { documentCorpus, firstDocumentBatch } from './search.ts';

/** A revision to write. */
interface DocumentRevision {
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  /** Canonical JSON. */
  content: string;
  /** 64 hex digits. */
  contentDigest: string;
  /** The analysis of the text that lexical search reads for this head. */
  projection: Projection;
}

interface DocumentPlace {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
  family: SearchedFamily;
}

/** An Artifact to create. */
type NewDocument = DocumentPlace & { artifactId: string };

/** A head that the transaction has locked. */
type DocumentHead = DocumentPlace & { artifactKey: ArtifactKey; revision: number };

/**
 * Replaces the search projection of a head. The transaction has locked the Scope's row in `source_sequences`, so no other writer
 * changes the old projection or the current batch meanwhile. Updates document frequencies in ascending order of the term,
 * so that two writers lock the rows in the same order.
 */
const projectStatement = statement(
  'project_document',
  `WITH before AS MATERIALIZED (
    SELECT terms, length FROM document_projections WHERE tenant_id = $1 AND artifact_key = $4::bigint
  ), batch AS MATERIALIZED (
    SELECT $8::bigint + coalesce((SELECT entered FROM document_totals WHERE tenant_id = $1 AND scope_key = $2 AND family = $3),
                                 0) / ${batchSize} AS term
  ), projection AS (
    INSERT INTO document_projections (tenant_id, artifact_key, scope_key, terms, term_frequencies, length)
    SELECT $1, $4::bigint, $2, batch.term || $5::bigint[], 1::smallint || $6::smallint[], $7 FROM batch
    ON CONFLICT (tenant_id, artifact_key) DO UPDATE SET
      terms = excluded.terms, term_frequencies = excluded.term_frequencies, length = excluded.length
  ), totals AS (
    INSERT INTO document_totals AS t (tenant_id, scope_key, family, documents, total_length, entered, languages, analyzed_v2)
    SELECT $1, $2, $3, 1 - count(*), $7::int - coalesce(sum(length), 0), 1, $9, 1 FROM before
    ON CONFLICT (tenant_id, scope_key, family) DO UPDATE SET
      documents = t.documents + excluded.documents,
      total_length = t.total_length + excluded.total_length,
      entered = t.entered + excluded.entered,
      languages = t.languages | excluded.languages,
      analyzed_v2 = t.analyzed_v2 + excluded.analyzed_v2
  )
  INSERT INTO document_terms AS t (tenant_id, scope_key, term, documents)
  SELECT $1, $2, term, sum(delta) FROM (
    SELECT unnest(batch.term || $5::bigint[]) AS term, 1 AS delta FROM batch
    UNION ALL
    SELECT unnest(terms), -1 FROM before
  ) AS counted
  GROUP BY term HAVING sum(delta) <> 0 ORDER BY term
  ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET documents = t.documents + excluded.documents`,
);

/** Removes the search projection of a head, under the same lock as `projectStatement`. */
const removeStatement = statement(
  'remove_document_projection',
  `WITH before AS (
    DELETE FROM document_projections WHERE tenant_id = $1 AND artifact_key = $4::bigint RETURNING terms, length
  ), totals AS (
    UPDATE document_totals t SET documents = documents - 1, total_length = total_length - before.length
    FROM before WHERE t.tenant_id = $1 AND t.scope_key = $2 AND t.family = $3
  )
  INSERT INTO document_terms AS t (tenant_id, scope_key, term, documents)
  SELECT $1, $2, term, -1 FROM before CROSS JOIN LATERAL unnest(before.terms) AS term ORDER BY term
  ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET documents = t.documents + excluded.documents`,
);

/** Writes head, revision one and search projection of a new Artifact. Returns its key. */
export async function writeFirst(
  transaction: PrismaTransaction,
  document: NewDocument,
  revision: DocumentRevision,
): Promise<ArtifactKey> {
  const { tenantId, scopeKey, family, artifactId } = document;
  const { artifactKey } = await transaction.prisma.artifact.create({
    data: { tenantId, scopeKey, family, artifactId, headRevision: 1 },
  });
  await writeRevision(transaction, { ...document, artifactKey, revision: 1 }, revision);
  return artifactKey;
}

/** Writes the next revision of a locked head, and replaces the search projection. */
export async function writeNext(
  transaction: PrismaTransaction,
  head: DocumentHead,
  revision: DocumentRevision,
): Promise<void> {
  const { tenantId, artifactKey } = head;
  const next = head.revision + 1;
  await transaction.prisma.artifact.update({
    where: { tenantId_artifactKey: { tenantId, artifactKey } },
    data: { headRevision: next },
  });
  await writeRevision(transaction, { ...head, revision: next }, revision);
}

async function writeRevision(
  { sql, prisma }: PrismaTransaction,
  head: DocumentHead,
  { sources, artifacts, content, contentDigest, projection }: DocumentRevision,
): Promise<void> {
  const { tenantId, artifactKey, revision } = head;
  await prisma.artifactRevision.create({
    data: {
      tenantId,
      artifactKey,
      revision,
      sources,
      ...(artifacts.length > 0 && { artifacts }),
      content,
      contentDigest: Buffer.from(contentDigest, 'hex'),
    },
  });
  await replaceProjection(sql, head, projection);
}

/** Analyzes the text that lexical search reads for a head. Long texts take a second: call it before a lock is taken. */
export async function projectDocument(
  { tenantId, scopeId }: Pick<DocumentPlace, 'tenantId' | 'scopeId'>,
  family: SearchedFamily,
  searched: string,
): Promise<Projection> {
  return await runInSlices(projectSteps(documentCorpus(tenantId, scopeId, family), searched));
}

/** Replaces the search projection of a head, which may have none. */
export async function replaceProjection(
  sql: Sql,
  { tenantId, scopeId, scopeKey, family, artifactKey }: Omit<DocumentHead, 'revision'>,
  { terms, frequencies, length, languages }: Projection,
): Promise<void> {
  await sql.rows(projectStatement, [
    tenantId,
    scopeKey,
    family,
    artifactKey,
    arrayLiteral(terms),
    arrayLiteral(frequencies),
    length,
    firstDocumentBatch(documentCorpus(tenantId, scopeId, family)),
    languages,
  ]);
}

/** Removes a head from search, if it is there. The transaction has locked the Scope's row in `source_sequences`. */
export async function removeProjection(
  sql: Sql,
  { tenantId, scopeKey, family, artifactKey }: Omit<DocumentHead, 'revision' | 'scopeId'>,
): Promise<void> {
  await sql.rows(removeStatement, [tenantId, scopeKey, family, artifactKey]);
}
