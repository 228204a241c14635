import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type { ArtifactCreated, CreateRequest } from '@continuity/contract/artifacts';
import type { Database, JsonValue } from '@continuity/shared/kernel';
import { writeOnce } from '../scopes/index.ts';
import { createSource } from '../sources/index.ts';
import { etagOf } from './etag.ts';
import { artifactFamilies } from './families/index.ts';
import { presentCreated } from './present.ts';

export interface Creation {
  tenantId: number;
  scopeId: string;
  idempotencyKey: string | undefined;
  body: CreateRequest;
}

export interface CreatedArtifact {
  body: ArtifactCreated;
  etag: string;
}

/** What a repeat under one Idempotency-Key is answered from: the first response, headers included. */
type KeptAnswer = {
  artifact_id: string;
  revision: number;
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  etag: string;
};

/**
 * Revision one of a new Artifact, its system Source and, for an unknown Scope, the descriptor, in one transaction. The
 * line of Sources is locked before the head, as by every writer that takes both. Throws 409 `artifact_conflict`.
 */
export async function createArtifact(
  database: Database,
  { tenantId, scopeId, idempotencyKey, body }: Creation,
): Promise<CreatedArtifact> {
  const { family, content } = body;
  const rules = artifactFamilies[family];
  rules.check(content);
  const recorded = content as JsonValue;
  const answer = await writeOnce<KeptAnswer>(database, {
    tenantId,
    scopeId,
    operation: 'create_artifact',
    key: idempotencyKey,
    body: { family, content: rules.complete(content) },
    conflict: 'artifact_conflict',
    write: async ({ sql }) => {
      const system = { tenantId, scopeId, content: recorded, eligible: false };
      const { scopeKey, sourceId } = await createSource(sql, system, null);
      const source = { source_type: 'content', source_id: sourceId };
      const place = { tenantId, scopeId, scopeKey, source };
      const written = await rules.create(sql, place, content);
      const { sources, artifacts, ...created } = presentCreated({ scopeId, family }, written);
      return {
        scopeKey,
        response: {
          artifact_id: created.artifact_id,
          revision: created.revision,
          sources,
          artifacts,
          etag: etagOf(scopeId, created, written.contentDigest),
        },
      };
    },
  });
  const { artifact_id: artifactId, revision, sources, artifacts, etag } = answer;
  return { body: presentCreated({ scopeId, family }, { artifactId, revision, sources, artifacts }), etag };
}
