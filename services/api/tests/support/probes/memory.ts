import { type Probes, post } from './probe.ts';

/** Probes of the operations of Memory and prepared context. */
export const memoryProbes = {
  remember_memory: ({ scope_id, citation }) => [
    post('/v1/memory/remember', {
      scope_id,
      kind: 'fact',
      text: 'third wall',
      expected_revision: citation.memory_ref.revision,
    }),
    post('/v1/memory/remember', { scope_id, kind: 'fact', text: 'third wall' }),
  ],
  search_memory: ({ scope_id }) => [post('/v1/memory/search', { scope_id, query: 'third wall' })],
  prepare_context: ({ scope_id }) => [post('/v1/context/prepare', { scope_id, query: 'third wall' })],
  explain_context: ({ scope_id, citation, child_scope_id, experience_id }) => [
    post('/v1/context/explain', { scope_id, query: 'third wall' }),
    post('/v1/context/explain', {
      scope_id: child_scope_id,
      query: 'third wall',
      subjects: [
        { kind: 'memory', scope_id, artifact_id: 'memory', entry_id: citation.entry_id },
        { kind: 'experience', scope_id, artifact_id: experience_id },
      ],
    }),
  ],
  list_memory_entries: ({ scope_id, entriesCursor: cursor }) => [
    post('/v1/memory/entries/list', { scope_id, include_inactive: true }),
    post('/v1/memory/entries/list', { scope_id, cursor }),
  ],
  get_memory_entry: ({ scope_id, citation }) => [
    post('/v1/memory/entries/get', { scope_id, citation }),
    post('/v1/memory/entries/get', { scope_id, entry_id: citation.entry_id }),
  ],
  revise_memory_entry: ({ scope_id, citation }) => [
    post('/v1/memory/entries/revise', { scope_id, citation, kind: 'fact', text: 'broken wall' }),
  ],
  retire_memory_entry: ({ scope_id, citation }) => [
    post('/v1/memory/entries/retire', { scope_id, citation }),
  ],
  list_memory_changes: ({ scope_id, changesCursor: cursor }) => [
    post('/v1/memory/changes', { scope_id }),
    post('/v1/memory/changes', { scope_id, since_revision: 0 }),
    post('/v1/memory/changes', { scope_id, cursor }),
  ],
  list_memory_entry_history: ({ scope_id, revised_id: entry_id, historyCursor: cursor }) => [
    post('/v1/memory/entries/history', { scope_id, entry_id }),
    post('/v1/memory/entries/history', { scope_id, entry_id, cursor }),
  ],
  flush_memory: ({ scope_id }) => [post('/v1/memory/flush', { scope_id })],
} satisfies Partial<Probes>;
