import type { ArtifactRef, Family, SourceTypeRef } from '@continuity/contract';
import { pick, type Queries, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { findScopeKey, scopeKey } from '../scopes/index.ts';
import type { StoredRevision } from './family.ts';

/** The names by which a caller finds Artifacts of one Family. */
export interface FamilyAddress {
  tenantId: TenantId;
  scopeId: string;
  family: Family;
}

export type ArtifactAddress = FamilyAddress & { artifactId: string };

type HeadRow = Pick<StoredRevision, 'scopeKey' | 'artifactKey' | 'artifactId'>;

/** Lineage columns are `jsonb`; a list without an item is stored as null. */
interface RevisionRow {
  revision: number;
  sources: unknown;
  artifacts: unknown;
  content?: string | null;
  contentDigest: Buffer | null;
}

const lockStatement = statement(
  'lock_artifact_head',
  'SELECT head_revision FROM artifacts WHERE tenant_id = $1 AND artifact_key = $2 FOR NO KEY UPDATE',
  pick(tables.artifacts, 'head_revision'),
);

/**
 * Reads one revision, or the head if `revision` is null. Returns undefined for an unknown one. Revisions never change, so the
 * queries need no common snapshot.
 */
export async function findRevision(
  { sql, prisma }: Queries,
  address: ArtifactAddress,
  revision: number | null,
): Promise<StoredRevision | undefined> {
  const { tenantId, scopeId, family, artifactId } = address;
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) return undefined;
  const head = await prisma.artifact.findUnique({
    where: { tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId } },
  });
  // A requested number may be larger than the column can hold.
  if (head === null || (revision ?? 0) > head.headRevision) return undefined;
  const { artifactKey } = head;
  const key = { tenantId, artifactKey, revision: revision ?? head.headRevision };
  const row = await prisma.artifactRevision.findUnique({ where: { tenantId_artifactKey_revision: key } });
  return row === null ? undefined : toStored(address, head, row);
}

/** Reads the heads of one Family after an id, ascending by id, without content. */
export async function findHeads(
  { sql, prisma }: Queries,
  address: FamilyAddress,
  after: string,
  limit: number,
): Promise<StoredRevision[]> {
  const { tenantId, scopeId, family } = address;
  const scopeKey = await findScopeKey(sql, tenantId, scopeId);
  if (scopeKey === undefined) return [];
  const heads = await prisma.artifact.findMany({
    where: { tenantId, scopeKey, family, artifactId: { gt: after }, headRevision: { gt: 0 } },
    orderBy: { artifactId: 'asc' },
    take: limit,
  });
  const keys = heads.map(({ artifactKey, headRevision }) => ({ artifactKey, revision: headRevision }));
  const rows = await prisma.artifactRevision.findMany({
    where: { tenantId, OR: keys },
    omit: { content: true },
  });
  const byKey = new Map(rows.map((row) => [row.artifactKey, row]));
  return heads.flatMap((head) => {
    const row = byKey.get(head.artifactKey);
    return row === undefined ? [] : [toStored(address, head, row)];
  });
}

const revisionsStatement = statement(
  'list_artifact_revisions',
  `SELECT r.revision, r.created_at
   FROM artifacts a LEFT JOIN LATERAL (
     SELECT r.revision, r.created_at FROM artifact_revisions r
     WHERE r.tenant_id = a.tenant_id AND r.artifact_key = a.artifact_key AND r.revision < $5
     ORDER BY r.revision DESC LIMIT $6
   ) AS r ON true
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = $3 AND a.artifact_id = $4 AND a.head_revision > 0
   ORDER BY r.revision DESC`,
  {
    revision: tables.artifact_revisions.revision.orNull(),
    created_at: tables.artifact_revisions.created_at.orNull(),
  },
);

/** Reads the numbers and times of revisions below one, newest first. Undefined for an unknown Artifact. */
export async function findRevisions(
  { sql }: Pick<Queries, 'sql'>,
  { tenantId, scopeId, family, artifactId }: ArtifactAddress,
  below: number,
  limit: number,
): Promise<{ revision: number; createdAt: Date }[] | undefined> {
  const rows = await sql.rows(revisionsStatement, [tenantId, scopeId, family, artifactId, below, limit]);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ revision, created_at }) =>
    revision === null || created_at === null ? [] : [{ revision, createdAt: created_at }],
  );
}

/** Locks the head until the transaction ends, so that its writers queue here. Returns the head revision. */
export async function lockHead(
  sql: Sql,
  { tenantId, artifactKey }: Pick<StoredRevision, 'tenantId' | 'artifactKey'>,
): Promise<number> {
  const row = await sql.first(lockStatement, [tenantId, artifactKey]);
  if (row === undefined) throw new Error('The Artifact to lock does not exist.');
  return row.head_revision;
}

/** Throws 409 `artifact_conflict` if a target is not the head of its Artifact. */
export function requireHead(target: ArtifactRef, headRevision: number): void {
  if (target.revision === headRevision) return;
  throw serviceError('artifact_conflict', {
    details: { target, current: { ...target, revision: headRevision } },
  });
}

/** Stores the digest of a revision that was written without one. */
export async function storeDigest(
  { prisma }: Queries,
  { tenantId, artifactKey, revision }: StoredRevision,
  contentDigest: string,
): Promise<void> {
  await prisma.artifactRevision.updateMany({
    where: { tenantId, artifactKey, revision, contentDigest: null },
    data: { contentDigest: Buffer.from(contentDigest, 'hex') },
  });
}

function toStored(
  { tenantId, scopeId, family }: FamilyAddress,
  { scopeKey, artifactKey, artifactId }: HeadRow,
  { revision, sources, artifacts, content, contentDigest }: RevisionRow,
): StoredRevision {
  return {
    tenantId,
    scopeId,
    scopeKey,
    family,
    artifactId,
    artifactKey,
    revision,
    sources: (sources ?? []) as SourceTypeRef[],
    artifacts: (artifacts ?? []) as ArtifactRef[],
    content: content ?? null,
    contentDigest: contentDigest?.toString('hex') ?? null,
  };
}
