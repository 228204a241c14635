import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type { ArtifactCreated, CreateRequest } from '@continuity/contract/artifacts';
import type { TenantId } from '@continuity/kernel/database';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import { writeOnce } from '../idempotency/index.ts';
import { recordArtifactWrite, writeContent } from '../sources/index.ts';
import { etagOf } from './etag.ts';
import type { ArtifactWriteDeps } from './family.ts';
import { presentCreated } from './present.ts';

interface Creation {
  tenantId: TenantId;
  scopeId: string;
  idempotencyKey: string | undefined;
  body: CreateRequest;
}

interface CreatedArtifact {
  body: ArtifactCreated;
  etag: string;
}

/** The part of the first response, headers included, that a repeat under the same Idempotency-Key needs. */
type StoredAnswer = {
  artifact_id: string;
  revision: number;
  sources: SourceTypeRef[];
  artifacts: ArtifactRef[];
  etag: string;
};

/**
 * Decides revision one of a new Artifact, then writes it, its system Source and, for an unknown Scope, the descriptor in one
 * transaction. The transaction locks the Scope's row in `source_sequences` before the head, as every writer does. Throws 409
 * `artifact_conflict` and the errors of the Family.
 */
export async function createArtifact(
  { database, families }: ArtifactWriteDeps,
  { tenantId, scopeId, idempotencyKey, body }: Creation,
): Promise<CreatedArtifact> {
  const { family, content } = body;
  const rules = families[family].artifacts;
  rules.check(content);
  const recorded = writeContent(content as JsonValue);
  const answer = await writeOnce<StoredAnswer>(database, {
    tenantId,
    scopeId,
    operation: 'create_artifact',
    key: idempotencyKey,
    canonicalBody: canonicalJson({ family, content: rules.complete(content) }),
    conflict: 'artifact_conflict',
    prepare: async () => {
      const first = await rules.create(database, { tenantId, scopeId }, content);
      return async (transaction) => {
        const write = { tenantId, scopeId, content: recorded };
        const { scopeKey, source } = await recordArtifactWrite(transaction.sql, write);
        const written = await first.write(transaction, { tenantId, scopeId, scopeKey, source });
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
      };
    },
  });
  const { artifact_id: artifactId, revision, sources, artifacts, etag } = answer;
  return { body: presentCreated({ scopeId, family }, { artifactId, revision, sources, artifacts }), etag };
}
