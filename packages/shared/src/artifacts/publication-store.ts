import type { ArtifactAddress, ArtifactRef, Family } from '@continuity/contract';
import type { ArtifactPublication } from '@continuity/contract/artifacts';
import type { ArtifactKey, Queries, ScopeKey, TenantId } from '@continuity/kernel/database';
import { findScopeKey } from '../scopes/index.ts';

/** A publication to store. */
interface NewPublication {
  tenantId: TenantId;
  /** The target Scope. */
  scopeKey: ScopeKey;
  artifactId: string;
  idempotencyKey: string;
  source: ArtifactAddress;
  origin: ArtifactAddress;
  /** 64 hex digits. */
  contentDigest: string;
}

/** Returns the publication into a Scope under a key, or undefined. */
export async function findPublication(
  { sql, prisma }: Queries,
  tenantId: TenantId,
  targetScopeId: string,
  idempotencyKey: string,
): Promise<ArtifactPublication | undefined> {
  const scopeKey = await findScopeKey(sql, tenantId, targetScopeId);
  if (scopeKey === undefined) return undefined;
  const row = await prisma.artifactPublication.findUnique({
    where: { tenantId_scopeKey_idempotencyKey: { tenantId, scopeKey, idempotencyKey } },
  });
  if (row === null) return undefined;
  const target = await prisma.artifact.findUniqueOrThrow({
    where: { tenantId_artifactKey: { tenantId, artifactKey: row.artifactKey } },
  });
  const family = target.family as Family;
  return {
    source: {
      scope_id: row.sourceScopeId,
      artifact: { family, artifact_id: row.sourceArtifactId, revision: row.sourceRevision },
    },
    target: { scope_id: targetScopeId, artifact: { family, artifact_id: target.artifactId, revision: 1 } },
    content_digest: row.contentDigest.toString('hex'),
  };
}

/** Returns the first address of the chain of publications that ends at an Artifact, or undefined. */
export async function findOrigin(
  { prisma }: Queries,
  { tenantId, artifactKey, family }: { tenantId: TenantId; artifactKey: ArtifactKey; family: Family },
): Promise<ArtifactAddress | undefined> {
  const row = await prisma.artifactPublication.findUnique({
    where: { tenantId_artifactKey: { tenantId, artifactKey } },
  });
  if (row === null) return undefined;
  const artifact: ArtifactRef = { family, artifact_id: row.originArtifactId, revision: row.originRevision };
  return { scope_id: row.originScopeId, artifact };
}

/** Stores a publication. Throws a unique violation if its key was used meanwhile. */
export async function storePublication(
  { prisma }: Queries,
  { tenantId, scopeKey, artifactId, idempotencyKey, source, origin, contentDigest }: NewPublication,
): Promise<void> {
  const { family } = source.artifact;
  const { artifactKey } = await prisma.artifact.findUniqueOrThrow({
    where: { tenantId_scopeKey_family_artifactId: { tenantId, scopeKey, family, artifactId } },
  });
  await prisma.artifactPublication.create({
    data: {
      tenantId,
      scopeKey,
      idempotencyKey,
      artifactKey,
      sourceScopeId: source.scope_id,
      sourceArtifactId: source.artifact.artifact_id,
      sourceRevision: source.artifact.revision,
      originScopeId: origin.scope_id,
      originArtifactId: origin.artifact.artifact_id,
      originRevision: origin.artifact.revision,
      contentDigest: Buffer.from(contentDigest, 'hex'),
    },
  });
}
