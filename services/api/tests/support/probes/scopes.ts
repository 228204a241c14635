import { bindingKey } from '../planted.ts';
import { get, type Probes, post, put } from './probe.ts';

const fields = { title: 'Title', summary: 'Summary' };

/** Probes of the operations of Scopes, bindings and statistics. */
export const scopeProbes = {
  get_capabilities: () => [get('/v1/capabilities')],
  get_caller: () => [get('/v1/caller')],
  list_scopes: ({ scope_id, child_scope_id, scopesCursor }) => [
    get('/v1/scopes'),
    get(`/v1/scopes?cursor=${scopesCursor}`),
    get(`/v1/scopes?parent=${scope_id}`),
    get(`/v1/scopes?search=${child_scope_id}`),
  ],
  create_scope: ({ scope_id, key }) => [
    post('/v1/scopes', { ...fields, parent_scope_id: scope_id, idempotency_key: key }),
    post('/v1/scopes', { ...fields, context_references: [scope_id], idempotency_key: key }),
    post('/v1/scopes', { ...fields, idempotency_key: key }),
  ],
  get_scope: ({ scope_id, child_scope_id }) => [
    get(`/v1/scopes/${scope_id}`),
    get(`/v1/scopes/${child_scope_id}`),
  ],
  update_scope: ({ scope_id, child_scope_id }) => [
    put(`/v1/scopes/${scope_id}`, { ...fields, expected_version: 1 }),
    put(`/v1/scopes/${scope_id}`, { ...fields, expected_version: 1, parent_scope_id: child_scope_id }),
  ],
  get_default_scope: () => [get('/v1/scopes/default')],
  set_default_scope: ({ scope_id }) => [put('/v1/scopes/default', { scope_id })],
  resolve_scope_selection: ({ scope_id, child_scope_id }) => [
    post('/v1/scopes/selection/resolve', { selection: { mode: 'all' } }),
    post('/v1/scopes/selection/resolve', { selection: { mode: 'exact', scope_ids: [child_scope_id] } }),
    post('/v1/scopes/selection/resolve', { selection: { mode: 'subtree', root_scope_id: scope_id } }),
  ],
  resolve_scope_binding: ({ scope_id, bound_id }) => [
    post('/v1/scope-bindings/resolve', { explicit_scope_id: scope_id }),
    post('/v1/scope-bindings/resolve', { binding_keys: [bindingKey(bound_id)] }),
  ],
  set_scope_binding: ({ scope_id, bound_id }) => [
    put('/v1/scope-bindings', { key: bindingKey(bound_id), scope_id }),
  ],
  clear_scope_binding: ({ bound_id }) => [post('/v1/scope-bindings/clear', { key: bindingKey(bound_id) })],
  get_stats: ({ scope_id, child_scope_id }) => [
    post('/v1/stats', { selection: { mode: 'exact', scope_ids: [scope_id, child_scope_id] } }),
    post('/v1/stats', { selection: { mode: 'subtree', root_scope_id: scope_id }, period: 'today' }),
    post('/v1/stats', { selection: { mode: 'all' } }),
  ],
} satisfies Partial<Probes>;
