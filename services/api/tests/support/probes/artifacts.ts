import { planted } from '../planted.ts';
import { get, type Probes, post } from './probe.ts';

const entries = [{ kind: 'fact', text: 'fifth wall' }];

/** Probes of the operations of Artifacts and publications. */
export const artifactProbes = {
  create_artifact: ({ scope_id, key, tree_digest, archive_digest }) => [
    post(`/v1/scopes/${scope_id}/artifacts`, {
      family: 'skill',
      content: {
        ...planted,
        package: { tree_digest, archive_digest, file_count: 1, uncompressed_size: 150, archive_size: 300 },
      },
    }),
    post(
      `/v1/scopes/${scope_id}/artifacts`,
      { family: 'memory', content: { entries } },
      { 'idempotency-key': key },
    ),
  ],
  list_artifacts: ({ scope_id, artifactsCursor }) => [
    get(`/v1/scopes/${scope_id}/artifacts/memory`),
    get(`/v1/scopes/${scope_id}/artifacts/memory?cursor=${artifactsCursor}`),
  ],
  get_artifact: ({ scope_id, artifact_id, etag, experience_id, skill_id }) => [
    get(`/v1/scopes/${scope_id}/artifacts/experience/${experience_id}`),
    get(`/v1/scopes/${scope_id}/artifacts/skill/${skill_id}`),
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`),
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`, { 'if-none-match': etag }),
  ],
  get_artifact_revision: ({ scope_id, artifact_id }) => [
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}/revisions/1`),
  ],
  list_artifact_revisions: ({ scope_id, artifact_id, experience_id, revisionsCursor }) => [
    get(`/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}/revisions`),
    get(`/v1/scopes/${scope_id}/artifacts/memory/memory/revisions?cursor=${revisionsCursor}`),
    get(`/v1/scopes/${scope_id}/artifacts/experience/${experience_id}/revisions`),
  ],
  replace_artifact: ({ scope_id, artifact_id, etag }) => [
    {
      method: 'PUT',
      path: `/v1/scopes/${scope_id}/artifacts/memory/${artifact_id}`,
      body: { content: { entries } },
      headers: { 'if-match': etag },
    },
  ],
  publish_artifact: ({ scope_id, child_scope_id, experience_id, key: idempotency_key }) => {
    const publication = {
      source: { scope_id, artifact: { family: 'experience', artifact_id: experience_id, revision: 1 } },
      target_scope_id: child_scope_id,
      idempotency_key,
    };
    // First without a Scope of these names, then with the tenant's own Scopes.
    return [
      post('/v1/artifact-publications', publication),
      post('/v1/sources/content', { scope_id, source_id: 'own', content: 'own' }),
      post('/v1/artifact-publications', publication),
      post('/v1/sources/content', { scope_id: child_scope_id, source_id: 'own', content: 'own' }),
      post('/v1/artifact-publications', publication),
    ];
  },
} satisfies Partial<Probes>;
