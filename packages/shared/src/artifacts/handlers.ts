import type { artifactOperations } from '@continuity/contract/artifacts';
import type { Database, TenantId } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import type { Clock } from '@continuity/kernel/process';
import { type CursorCodec, type Handlers, longAnswer, scopePath } from '@continuity/shared/handlers';
import { createArtifact } from './create.ts';
import { hasWeakMatch } from './etag.ts';
import type { ArtifactFamilies } from './family.ts';
import { publishArtifact } from './publish.ts';
import { listArtifacts, listRevisions, readEtag, readRevision, requireRevision } from './read.ts';
import { replaceArtifact } from './replace.ts';
import type { ArtifactAddress } from './store.ts';

/** Dependencies of the operations on Artifacts. */
export interface ArtifactDeps {
  database: Database;
  cursors: CursorCodec;
  clock: Clock;
  families: ArtifactFamilies;
}

export const artifactHandlers: Handlers<typeof artifactOperations, ArtifactDeps> = {
  create_artifact: async (deps, { tenantId }, { params, headers, body }) => {
    const scopeId = params.scope_id;
    const idempotencyKey = headers['idempotency-key'];
    const created = await createArtifact(deps, { tenantId, scopeId, idempotencyKey, body });
    const path = scopePath(scopeId, 'artifacts', created.body.family, created.body.artifact_id);
    return { body: created.body, headers: { Location: path, ETag: created.etag } };
  },

  list_artifacts: async (deps, { tenantId }, { params, query }) => {
    const address = { tenantId, scopeId: params.scope_id, family: params.family };
    return { body: await listArtifacts(deps, { address, ...query }) };
  },

  get_artifact: async (deps, { tenantId }, { params, headers }) => {
    const head = await requireRevision(deps.database, addressOf(tenantId, params), null);
    const known = headers['if-none-match'];
    const cache = { 'Cache-Control': 'private, no-cache' };
    if (known !== undefined) {
      const etag = await readEtag(deps, head);
      if (hasWeakMatch(known, etag)) return { status: 304, body: null, headers: { ...cache, ETag: etag } };
    }
    const { body, etag } = await readRevision(deps, head);
    return longAnswer(body, { ...cache, ETag: etag });
  },

  replace_artifact: async (deps, { tenantId }, { params, headers, body }) => {
    const replaced = await replaceArtifact(deps, {
      address: addressOf(tenantId, params),
      ifMatch: headers['if-match'] ?? '',
      content: body.content,
    });
    return longAnswer(replaced.body, { ETag: replaced.etag });
  },

  get_artifact_revision: async (deps, { tenantId }, { params }) => {
    const stored = await requireRevision(deps.database, addressOf(tenantId, params), params.revision);
    const { body, etag } = await readRevision(deps, stored);
    return longAnswer(body, { ETag: etag });
  },

  list_artifact_revisions: async ({ database, cursors }, { tenantId }, { params, query }) => ({
    body: await listRevisions(database, cursors, { address: addressOf(tenantId, params), ...query }),
  }),

  publish_artifact: async (deps, { tenantId }, { body }) => {
    if (body.source.scope_id === body.target_scope_id) {
      throw invalidRequest([
        { path: 'target_scope_id', message: 'must differ from the Scope of the source' },
      ]);
    }
    const published = await publishArtifact(deps, tenantId, body);
    const { scope_id, artifact } = published.target;
    const Location = scopePath(scope_id, 'artifacts', artifact.family, artifact.artifact_id);
    return { body: published, headers: { Location } };
  },
};

function addressOf(
  tenantId: TenantId,
  params: { scope_id: string; family: ArtifactAddress['family']; artifact_id: string },
): ArtifactAddress {
  const { scope_id: scopeId, family, artifact_id: artifactId } = params;
  return { tenantId, scopeId, family, artifactId };
}
