import type { ArtifactAddress, ArtifactRef, Family } from '@continuity/contract';
import type { ArtifactPublication } from '@continuity/contract/artifacts';
import { column, pick, type Sql, statement, tables } from '@continuity/shared/kernel';
import { scopeKey } from '../scopes/index.ts';

/** A publication on its way to its row. */
export interface PublicationToKeep {
  tenantId: number;
  /** The target. */
  scopeKey: number;
  artifactId: string;
  idempotencyKey: string;
  source: ArtifactAddress;
  origin: ArtifactAddress;
  /** 64 hex digits. */
  contentDigest: string;
}

const findStatement = statement(
  'find_artifact_publication',
  `SELECT a.family, a.artifact_id, p.source_scope_id, p.source_artifact_id, p.source_revision,
          encode(p.content_digest, 'hex') AS content_digest
   FROM artifact_publications p
   JOIN artifacts a ON a.tenant_id = p.tenant_id AND a.artifact_key = p.artifact_key
   WHERE p.tenant_id = $1 AND p.scope_key = ${scopeKey} AND p.idempotency_key = $3`,
  {
    artifact_id: tables.artifacts.artifact_id,
    ...pick(tables.artifact_publications, 'source_scope_id', 'source_artifact_id', 'source_revision'),
    family: tables.artifacts.family.as<Family>(),
    content_digest: column.text,
  },
);

const originStatement = statement(
  'find_publication_origin',
  `SELECT origin_scope_id, origin_artifact_id, origin_revision FROM artifact_publications
   WHERE tenant_id = $1 AND artifact_key = $2`,
  pick(tables.artifact_publications, 'origin_scope_id', 'origin_artifact_id', 'origin_revision'),
);

const keepStatement = statement(
  'keep_artifact_publication',
  `INSERT INTO artifact_publications
     (tenant_id, scope_key, idempotency_key, artifact_key, source_scope_id, source_artifact_id, source_revision,
      origin_scope_id, origin_artifact_id, origin_revision, content_digest)
   SELECT tenant_id, scope_key, $5, artifact_key, $6, $7, $8, $9, $10, $11, decode($12, 'hex') FROM artifacts
   WHERE tenant_id = $1 AND scope_key = $2 AND family = $3 AND artifact_id = $4`,
);

/** What was published into the Scope under the key, or undefined. */
export async function findPublication(
  sql: Sql,
  tenantId: number,
  targetScopeId: string,
  idempotencyKey: string,
): Promise<ArtifactPublication | undefined> {
  const row = await sql.first(findStatement, [tenantId, targetScopeId, idempotencyKey]);
  if (row === undefined) return undefined;
  const { family, artifact_id, source_scope_id, source_artifact_id, source_revision, content_digest } = row;
  return {
    source: {
      scope_id: source_scope_id,
      artifact: { family, artifact_id: source_artifact_id, revision: source_revision },
    },
    target: { scope_id: targetScopeId, artifact: { family, artifact_id, revision: 1 } },
    content_digest,
  };
}

/** The first address of the chain of publications that made revision one of an Artifact, or undefined. */
export async function findOrigin(
  sql: Sql,
  { tenantId, artifactKey, family }: { tenantId: number; artifactKey: number; family: Family },
): Promise<ArtifactAddress | undefined> {
  const row = await sql.first(originStatement, [tenantId, artifactKey]);
  if (row === undefined) return undefined;
  const artifact: ArtifactRef = {
    family,
    artifact_id: row.origin_artifact_id,
    revision: row.origin_revision,
  };
  return { scope_id: row.origin_scope_id, artifact };
}

/** Keeps a publication with `run`; a key that was used meanwhile is a unique violation. */
export async function keepPublication(
  run: Sql['rows'],
  { tenantId, scopeKey, artifactId, idempotencyKey, source, origin, contentDigest }: PublicationToKeep,
): Promise<void> {
  await run(keepStatement, [
    tenantId,
    scopeKey,
    source.artifact.family,
    artifactId,
    idempotencyKey,
    source.scope_id,
    source.artifact.artifact_id,
    source.artifact.revision,
    origin.scope_id,
    origin.artifact.artifact_id,
    origin.artifact.revision,
    contentDigest,
  ]);
}
