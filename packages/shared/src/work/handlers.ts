import type { workOperations } from '@continuity/contract/work';
import type { Database, TenantId } from '@continuity/kernel/database';
import { requireNoIssues } from '@continuity/kernel/errors';
import type { Handlers } from '@continuity/shared/handlers';
import type { FlushDelay } from '../sources/index.ts';
import { findContractIssues, findCurrentWorkIssues, findOutcomeIssues } from '../work-records/index.ts';
import { acknowledgeHandoff, findAcknowledgementIssues } from './acknowledge.ts';
import { createContract, handOffCurrentWork, recordOutcome } from './records.ts';

/** Dependencies of the operations on work records. */
export interface WorkDeps {
  database: Database;
  flushDelay: FlushDelay | null;
}

export const workHandlers: Handlers<typeof workOperations, WorkDeps> = {
  create_work_contract: async ({ database, flushDelay }, { tenantId }, { body }) => {
    requireNoIssues(findContractIssues(body.contract));
    return { body: await createContract(database, placeOf(tenantId, body), body.contract, flushDelay) };
  },

  handoff_current_work: async ({ database, flushDelay }, { tenantId }, { body }) => {
    requireNoIssues(findCurrentWorkIssues(body.handoff));
    const { handoff, commit } = body;
    const place = placeOf(tenantId, body);
    return { body: await handOffCurrentWork(database, place, { handoff, commit }, flushDelay) };
  },

  acknowledge_handoff: async ({ database, flushDelay }, { tenantId }, { body }) => {
    requireNoIssues(findAcknowledgementIssues(body));
    return { body: await acknowledgeHandoff(database, tenantId, body, flushDelay) };
  },

  record_task_outcome: async ({ database, flushDelay }, { tenantId }, { body }) => {
    requireNoIssues(findOutcomeIssues(body.outcome));
    return { body: await recordOutcome(database, placeOf(tenantId, body), body.outcome, flushDelay) };
  },
};

function placeOf(tenantId: TenantId, { scope_id, source_id }: { scope_id: string; source_id: string }) {
  return { tenantId, scopeId: scope_id, sourceId: source_id };
}
