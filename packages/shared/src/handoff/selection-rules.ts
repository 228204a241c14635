import type { ArtifactRef, Issue } from '@continuity/contract';
import { handoffId, type PreparedHandoff } from '@continuity/contract/handoff';
import type { HandoffSelection } from './resolve.ts';

/** The fields of a request that choose a Handoff. */
interface SelectionFields {
  scope_id: string;
  selection: 'prepared' | 'exact' | 'latest';
  prepared: PreparedHandoff | null;
  revision: ArtifactRef | null;
}

/** Validates a selection: each mode takes exactly its own field, which must name this Scope's Handoff (spec 30 §3.7.1). */
export function findSelectionIssues({ scope_id, selection, prepared, revision }: SelectionFields): Issue[] {
  return [
    ...findPresenceIssues('prepared', prepared, selection),
    ...findPresenceIssues('exact', revision, selection),
    ...(prepared === null ? [] : findPreparedIssues('prepared', prepared, scope_id)),
    ...(revision === null ? [] : findReferenceIssues('revision', revision)),
  ];
}

/** Validates a Prepared Handoff for this Scope (spec 30 §3.6.1). */
export function findPreparedIssues(path: string, prepared: PreparedHandoff, scopeId: string): Issue[] {
  const scope =
    prepared.scope_id === scopeId
      ? []
      : [{ path: `${path}.scope_id`, message: 'must be the scope_id of the request' }];
  return [...scope, ...(prepared.base === null ? [] : findReferenceIssues(`${path}.base`, prepared.base))];
}

/** Converts valid fields into a selection. */
export function toSelection({
  prepared,
  revision,
}: Pick<SelectionFields, 'prepared' | 'revision'>): HandoffSelection {
  if (prepared !== null) return { selection: 'prepared', prepared };
  return revision === null ? { selection: 'latest' } : { selection: 'exact', revision };
}

const fields = { prepared: 'prepared', exact: 'revision' } as const;

function findPresenceIssues(
  mode: 'prepared' | 'exact',
  value: object | null,
  selection: SelectionFields['selection'],
): Issue[] {
  if ((value !== null) === (selection === mode)) return [];
  const message = selection === mode ? `is required with selection ${mode}` : `is only for selection ${mode}`;
  return [{ path: fields[mode], message }];
}

function findReferenceIssues(path: string, { family, artifact_id }: ArtifactRef): Issue[] {
  return [
    ...(family === 'handoff' ? [] : [{ path: `${path}.family`, message: 'must be handoff' }]),
    ...(artifact_id === handoffId ? [] : [{ path: `${path}.artifact_id`, message: `must be ${handoffId}` }]),
  ];
}
