import type { Citation } from '@continuity/contract';
import { citeSource } from '@continuity/contract/evidence';
import type {
  HandoffContent,
  HandoffDraft,
  HandoffStatement,
  PreparedHandoff,
} from '@continuity/contract/handoff';
import type { CallInput, Client } from '@continuity/testing';
import { capture } from './sources.ts';

/** A Citation of a captured Source. */
export const cite = (source_id: string): Citation => citeSource({ name: 'content', source_id });

export const stated = (text: string, ...citations: Citation[]): HandoffStatement => ({ text, citations });

/** A complete draft with one statement that cites the Source `evidence`; `change` replaces fields. */
export function draft(change: Partial<HandoffDraft> = {}): HandoffDraft {
  return {
    objective: 'Keep the service up.',
    state: [stated('It is up.', cite('evidence'))],
    disposition: 'continuable',
    next_action: null,
    omissions: [],
    ...change,
  };
}

export function handoffContent(change: Partial<HandoffDraft> = {}): HandoffContent {
  return { schema: 'service.handoff.v1', ...draft(change) };
}

/** A Prepared Handoff on the revision `base`; 0 means no base. */
export function prepared(
  scope_id: string,
  base: number,
  change: Partial<HandoffDraft> = {},
): PreparedHandoff {
  return {
    schema: 'service.prepared-handoff.v1',
    scope_id,
    base: base === 0 ? null : handoffRef(base),
    content: handoffContent(change),
  };
}

export const handoffRef = (revision: number) => ({ family: 'handoff', artifact_id: 'handoff', revision });

export const allConfirmed = {
  live_state: 'confirmed',
  capability: 'confirmed',
  authorization: 'confirmed',
} as const;

type Body<Id extends Parameters<Client['call']>[0]> = NonNullable<CallInput<Id>['body']>;

/** Short calls of the Handoff and Work operations. */
export function handoffCalls(client: Client) {
  return {
    /** Captures the Source `evidence` that drafts cite. */
    ground: (scope_id: string) => capture(client, scope_id, 'evidence'),
    finalize: (scope_id: string, body: HandoffDraft) =>
      client.call('finalize_handoff', { body: { scope_id, draft: body } }),
    commit: (scope_id: string, handoff: PreparedHandoff) =>
      client.call('commit_handoff', { body: { scope_id, handoff } }),
    latest: (scope_id: string) =>
      client.call('continue_handoff', { body: { scope_id, selection: 'latest' } }),
    exact: (scope_id: string, revision: number) =>
      client.call('continue_handoff', {
        body: { scope_id, selection: 'exact', revision: handoffRef(revision) },
      }),
    resume: (scope_id: string, value: PreparedHandoff) =>
      client.call('continue_handoff', { body: { scope_id, selection: 'prepared', prepared: value } }),
    contract: (body: Body<'create_work_contract'>) => client.call('create_work_contract', { body }),
    handOff: (body: Body<'handoff_current_work'>) => client.call('handoff_current_work', { body }),
    acknowledge: (body: Body<'acknowledge_handoff'>) => client.call('acknowledge_handoff', { body }),
    outcome: (body: Body<'record_task_outcome'>) => client.call('record_task_outcome', { body }),
    /** Creates a Source and returns its position. */
    nextPosition: (scope_id: string) => capture(client, scope_id, 'probe'),
  };
}
