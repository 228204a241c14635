import type { ArtifactRef, Citation, Issue } from '@continuity/contract';
import { citationKey } from '@continuity/contract/evidence';
import { type HandoffDraft, handoffId, type PreparedHandoff } from '@continuity/contract/handoff';
import { canonicalJson } from '@continuity/kernel/json';
import { utf8Length } from '@continuity/kernel/text';
import { contentBytes, contentOfDraft, directCitations, statementsOf } from './content.ts';
import type { HandoffSelection } from './resolve.ts';

/** Whether an objective alone fits `maxBytes` (spec 30 §8.6). */
export function objectiveFits(objective: string, maxBytes: number): boolean {
  return utf8Length(canonicalJson(objective)) <= maxBytes;
}

/** Constraints on a generated draft. */
export interface DraftTerms {
  objective: string;
  /** The Citations that the draft may contain. */
  evidence: Citation[];
  maxBytes: number;
}

/** The rule of spec 30 §3.3.2 that a generated draft breaks, named as in `details.reason`; undefined for a valid draft. */
export function brokenDraftRule(
  draft: HandoffDraft,
  { objective, evidence, maxBytes }: DraftTerms,
): 'output' | 'objective' | 'evidence' | 'budget' | undefined {
  if (draft.objective !== objective) return 'objective';
  if (draft.disposition === 'complete' && draft.next_action !== null) return 'output';
  const given = new Set(evidence.map(citationKey));
  const omitted = draft.omissions.flatMap(({ citation }) => (citation === null ? [] : [citation]));
  const cited = [...directCitations(draft), ...omitted];
  if (cited.some((citation) => !given.has(citationKey(citation)))) return 'evidence';
  if (statementsOf(draft).some(({ citations }) => citations.length === 0)) return 'evidence';
  return contentBytes(contentOfDraft(draft)) <= maxBytes ? undefined : 'budget';
}

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
