import type { HandoffContent } from '@continuity/contract/handoff';
import type { Acknowledgement } from '@continuity/contract/work';
import type { Database, TenantId } from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { handoffRef } from '../../src/evidence/index.ts';
import { commitHandoff } from '../../src/handoff/commit.ts';
import { prepare } from '../../src/handoff/index.ts';
import { findScopeKey } from '../../src/scopes/index.ts';
import { captureContent, prepareCapture } from '../../src/sources/index.ts';
import { acknowledgeHandoff } from '../../src/work/acknowledge.ts';
import { createContract, handOffCurrentWork, recordOutcome } from '../../src/work/records.ts';
import { readContinuity } from '../../src/work-records/index.ts';

export const contract = {
  schema: 'service.work-contract.v1' as const,
  trust: 'untrusted_input' as const,
  objective: 'Build.',
  facts: [],
  in_scope: ['walls'],
  exclusions: [],
  completion_criteria: ['it stands'],
  authorization_notes: [],
  open_questions: [],
};

export const outcome = {
  schema: 'service.task-outcome.v1' as const,
  trust: 'untrusted_observation' as const,
  objective: 'Build.',
  status: 'failed' as const,
  summary: 'The wall fell.',
  handoff_receipt_ref: null,
  observations: [{ text: 'Seen.', basis: 'declared' as const, evidence: [] }],
  checks: [],
  produced_artifacts: [],
  remaining_work: [],
};

const boundary = {
  schema: 'service.current-work-handoff.v1' as const,
  trust: 'untrusted_input' as const,
  objective: 'Build.',
  state: [{ text: 'Begun.', basis: 'declared' as const, evidence: [] }],
  disposition: 'blocked' as const,
  next_action: null,
  omissions: [],
};

/** The work of one Scope, written by the functions that serve requests. */
export function workOf(database: Database, tenantId: TenantId, scopeId = newId()) {
  const place = { tenantId, scopeId };
  let ids = 0;
  const identity = () => {
    ids += 1;
    return { ...place, sourceId: `record-${ids}` };
  };
  return {
    scopeId,
    contract: (value: Partial<typeof contract> = {}) =>
      createContract(database, identity(), { ...contract, ...value }, null),
    boundary: () => handOffCurrentWork(database, identity(), { handoff: boundary, commit: false }, null),
    /** Commits the next revision, which cites a boundary. */
    commit: async (base: number | undefined, objective: string) => {
      const request = { handoff: { ...boundary, objective }, commit: false };
      const { handoff } = await handOffCurrentWork(database, identity(), request, null);
      const content: HandoffContent = { ...handoff.content, objective };
      return commitHandoff(database, place, prepare(scopeId, base, content));
    },
    acknowledge: async (value: Partial<Acknowledgement> & { revision: Acknowledgement['revision'] }) => {
      const { sourceId } = identity();
      const { receipt } = await acknowledgeHandoff(
        database,
        tenantId,
        {
          scope_id: scopeId,
          source_id: sourceId,
          receiver: 'agent-b',
          status: 'accepted',
          selection: 'exact',
          receiver_checks: { live_state: 'confirmed', capability: 'confirmed', authorization: 'confirmed' },
          prepared: null,
          message: null,
          ...value,
        },
        null,
      );
      return receipt.source;
    },
    outcome: (value: Partial<Parameters<typeof recordOutcome>[2]> = {}) =>
      recordOutcome(database, identity(), { ...outcome, ...value }, null),
    /** Captures a text as a caller who calls it a work record. */
    captured: (kind: string, content: string) => {
      const { sourceId: source_id } = identity();
      const capture = prepareCapture({ scope_id: scopeId, source_id, content, metadata: { kind } });
      return captureContent(database, tenantId, capture, null);
    },
    continuity: async (selectedRevision: number | null, throughPosition = Number.MAX_SAFE_INTEGER) => {
      const scopeKey = await findScopeKey(database.sql, tenantId, scopeId);
      if (scopeKey === undefined) throw new Error('The Scope has no record.');
      const [continuity] = await readContinuity(database.sql, tenantId, [
        { scopeId, scopeKey, throughPosition, selectedRevision },
      ]);
      if (continuity === undefined) throw new Error('No continuity was read.');
      return continuity;
    },
    ref: handoffRef,
  };
}
