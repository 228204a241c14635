import type { RequestTo } from '../api/service.ts';

/** Scope of the steps unless a person names another one. */
export const defaultScope = 'first-steps';

export const noteId = 'first-steps-note';
export const note =
  'We decided to use Postgres 18 for every environment. Never log tokens. After a change of the schema, the client must be generated again.';
export const question = 'which postgres version do we use?';
export const lesson = 'Generate the client again after each change of the schema.';
export const task = 'change the schema of the public API';

/** The requests of the steps. Each may be sent twice: it changes nothing more. */
export const captureOf = (scope_id: string): RequestTo<'captureContentSource'> => ({
  scope_id,
  source_id: noteId,
  content: note,
});
export const traceOf = (scope_id: string): RequestTo<'traceSource'> => ({
  scope_id,
  source: { name: 'content', source_id: noteId },
});
export const flushOf = (scope_id: string): RequestTo<'flushMemory'> => ({ scope_id });
export const searchOf = (scope_id: string): RequestTo<'searchMemory'> => ({ scope_id, query: question });
export const explainOf = (scope_id: string): RequestTo<'explainContext'> => ({
  scope_id,
  query: task,
  max_bytes: 2000,
});
export const proposalOf = (scope_id: string): RequestTo<'proposeExperience'> => ({
  scope_id,
  proposal: {
    situation: 'The schema of the public API changed.',
    action: 'The client was generated again before the tests ran.',
    outcome: 'All contract tests passed.',
    lesson,
  },
  source_refs: [{ name: 'content', source_id: noteId }],
  artifact_refs: [],
});
export const proposalKey = 'first-steps';
