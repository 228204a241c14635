import type { ArtifactRef, Family, SourceTypeRef } from '@continuity/contract';
import { column, pick, type RowOfStatement, type Sql, statement, tables } from '@continuity/shared/kernel';
import { scopeKey } from '../scopes/index.ts';
import type { StoredRevision } from './family.ts';

/** The names by which a caller finds Artifacts of one Family. */
export interface FamilyAddress {
  tenantId: number;
  scopeId: string;
  family: Family;
}

export type ArtifactAddress = FamilyAddress & { artifactId: string };

const headColumns = `a.scope_key, a.artifact_key, a.artifact_id, r.revision, r.sources, r.artifacts,
  encode(r.content_digest, 'hex') AS content_digest`;

const findStatement = statement(
  'find_artifact_revision',
  `SELECT ${headColumns}, r.content
   FROM artifacts a
   JOIN artifact_revisions r ON r.tenant_id = a.tenant_id AND r.artifact_key = a.artifact_key
     AND r.revision = coalesce($5::bigint, a.head_revision)
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = $3 AND a.artifact_id = $4`,
  {
    ...pick(tables.artifacts, 'scope_key', 'artifact_key', 'artifact_id'),
    ...pick(tables.artifact_revisions, 'revision', 'content'),
    sources: tables.artifact_revisions.sources.as<SourceTypeRef[]>(),
    artifacts: tables.artifact_revisions.artifacts.as<ArtifactRef[]>(),
    content_digest: column.text.orNull(),
  },
);

const listStatement = statement(
  'list_artifact_heads',
  `SELECT ${headColumns}, NULL AS content
   FROM artifacts a
   JOIN artifact_revisions r ON r.tenant_id = a.tenant_id AND r.artifact_key = a.artifact_key
     AND r.revision = a.head_revision
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = $3 AND a.artifact_id > $4
   ORDER BY a.artifact_id LIMIT $5`,
  {
    ...pick(tables.artifacts, 'scope_key', 'artifact_key', 'artifact_id'),
    revision: tables.artifact_revisions.revision,
    sources: tables.artifact_revisions.sources.as<SourceTypeRef[]>(),
    artifacts: tables.artifact_revisions.artifacts.as<ArtifactRef[]>(),
    content_digest: column.text.orNull(),
    content: column.text.orNull(),
  },
);

type RevisionRow = RowOfStatement<typeof listStatement>;

const lockStatement = statement(
  'lock_artifact_head',
  'SELECT head_revision FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR NO KEY UPDATE',
  pick(tables.artifacts, 'head_revision'),
);

const keepStatement = statement(
  'keep_artifact_digest',
  `UPDATE artifact_revisions SET content_digest = decode($4, 'hex')
   WHERE tenant_id = $1 AND artifact_key = $2 AND revision = $3 AND content_digest IS NULL`,
);

/** One revision, the head where none is named, or undefined. */
export async function findRevision(
  sql: Sql,
  address: ArtifactAddress,
  revision: number | null,
): Promise<StoredRevision | undefined> {
  const { tenantId, scopeId, family, artifactId } = address;
  const values = [tenantId, scopeId, family, artifactId, revision];
  const row = await sql.first(findStatement, values);
  return row === undefined ? undefined : toStored(address, row);
}

/** Heads of one Family after an id, ascending. */
export async function findHeads(
  sql: Sql,
  address: FamilyAddress,
  after: string,
  limit: number,
): Promise<StoredRevision[]> {
  const values = [address.tenantId, address.scopeId, address.family, after, limit];
  const rows = await sql.rows(listStatement, values);
  return rows.map((row) => toStored(address, row));
}

/** Locks the head until the transaction ends: its writers queue here. Answers the head revision. */
export async function lockHead(sql: Sql, { tenantId, artifactKey }: StoredRevision): Promise<number> {
  const row = await sql.first(lockStatement, [tenantId, artifactKey]);
  if (row === undefined) throw new Error('An Artifact that was found is gone.');
  return row.head_revision;
}

/** Keeps the digest of a revision that was written without one. */
export async function keepDigest(sql: Sql, stored: StoredRevision, contentDigest: string): Promise<void> {
  await sql.rows(keepStatement, [stored.tenantId, stored.artifactKey, stored.revision, contentDigest]);
}

function toStored({ tenantId, scopeId, family }: FamilyAddress, row: RevisionRow): StoredRevision {
  return {
    tenantId,
    scopeId,
    scopeKey: row.scope_key,
    family,
    artifactId: row.artifact_id,
    artifactKey: row.artifact_key,
    revision: row.revision,
    sources: row.sources ?? [],
    artifacts: row.artifacts ?? [],
    content: row.content,
    contentDigest: row.content_digest,
  };
}
