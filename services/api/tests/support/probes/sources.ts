import { manifest, observation } from '../connectors.ts';
import { connectorBinding } from '../planted.ts';
import { get, type Probes, post } from './probe.ts';

/** Probes of the operations of Sources and connectors. */
export const sourceProbes = {
  capture_content_source: ({ scope_id, source_id }) => [
    post('/v1/sources/content', { scope_id, source_id, content: 'of the second tenant' }),
  ],
  create_source: ({ scope_id, key }) => [
    post(`/v1/scopes/${scope_id}/sources`, { content: 'mine' }, { 'idempotency-key': key }),
  ],
  get_source: ({ scope_id, source_id, source_type, observed_id }) => [
    get(`/v1/scopes/${scope_id}/sources/content/${source_id}`),
    get(`/v1/scopes/${scope_id}/sources/${source_type}/${observed_id}`),
  ],
  list_sources: ({ scope_id, sourcesCursor }) => [
    get(`/v1/scopes/${scope_id}/sources`),
    get(`/v1/scopes/${scope_id}/sources?cursor=${sourcesCursor}`),
    get(`/v1/scopes/${scope_id}/sources?state=processed`),
  ],
  trace_source: ({ scope_id, source_id, source_type, observed_id }) => [
    post('/v1/sources/trace', { scope_id, source: { name: 'content', source_id } }),
    post('/v1/sources/trace', { scope_id, source: { name: source_type, source_id: observed_id } }),
  ],
  register_source_definition: ({ source_type: name }) => [
    post('/v1/source-definitions/register', {
      manifest: manifest({ name, source_schema: { minProperties: 1 } }),
    }),
  ],
  submit_source_observation: ({ scope_id, source_type: name, observed_id }) => [
    post('/v1/source-observations', {
      scope_id,
      observation: observation(manifest({ name }), observed_id, 'of the second tenant'),
    }),
  ],
  get_connector_checkpoint: ({ scope_id, binding_id }) => [
    post('/v1/connector-checkpoints/get', { binding: connectorBinding(scope_id, binding_id) }),
  ],
  commit_connector_checkpoint: ({ scope_id, binding_id }) =>
    ['of the first tenant', null].map((expected) =>
      post('/v1/connector-checkpoints/commit', {
        binding: { ...connectorBinding(scope_id, binding_id), connector_version: '2' },
        expected,
        checkpoint: 'of the second tenant',
      }),
    ),
} satisfies Partial<Probes>;
