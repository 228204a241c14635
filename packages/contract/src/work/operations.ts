import { z } from 'zod';
import { defineOperation, MiB } from '../operations/operation.ts';
import {
  exampleAcknowledged,
  exampleBoundary,
  exampleContract,
  exampleOutcome,
  examplePreparedWork,
  exampleReceipt,
  exampleScope,
} from './examples.ts';
import {
  acknowledgementRequest,
  currentWorkHandoff,
  handoffAcknowledgement,
  preparedWorkHandoff,
  recordIdentity,
  taskOutcome,
  workContract,
  workSourceReceipt,
} from './shapes.ts';

const workTag = { method: 'POST', tag: 'work', auth: 'bearer', run: 'direct' } as const;
const evidenceErrors = ['handoff_evidence_not_found', 'source_not_eligible'] as const;

export const createWorkContract = defineOperation({
  ...workTag,
  id: 'create_work_contract',
  path: '/v1/work/contracts/create',
  summary: 'Record what a piece of work is about',
  description:
    'Stored as a Source with every default filled in. A `declared` fact has no evidence, a `verified` one has some. It ' +
    'schedules nothing and grants nothing. Equal again under the same `source_id` answers as the first time.',
  bodyLimit: 4 * MiB,
  body: z.strictObject({ ...recordIdentity, contract: workContract }),
  status: 202,
  response: workSourceReceipt,
  errors: [...evidenceErrors, 'source_conflict'],
  examples: [
    {
      summary: 'The work on one endpoint',
      body: { scope_id: exampleScope, source_id: 'contract-41', contract: exampleContract },
      response: exampleReceipt('work-contract', 'contract-41', 2),
    },
  ],
});

export const handoffCurrentWork = defineOperation({
  ...workTag,
  id: 'handoff_current_work',
  path: '/v1/work/handoffs/prepare-current',
  summary: 'Record where the work stands, and prepare a Handoff from it',
  description:
    'The record is stored as a Source, the first evidence of each statement. No model is asked, and nothing is committed: ' +
    'give the Prepared Handoff to commit.',
  bodyLimit: 4 * MiB,
  body: z.strictObject({ ...recordIdentity, handoff: currentWorkHandoff }),
  status: 200,
  response: preparedWorkHandoff,
  errors: [...evidenceErrors, 'source_conflict'],
  examples: [
    {
      summary: 'Blocked work',
      body: { scope_id: exampleScope, source_id: 'boundary-41', handoff: exampleBoundary },
      response: examplePreparedWork,
    },
  ],
});

export const acknowledgeHandoff = defineOperation({
  ...workTag,
  id: 'acknowledge_handoff',
  path: '/v1/work/handoffs/acknowledge',
  summary: 'Accept a Handoff, ask back, or decline it',
  description:
    'To accept takes three confirmed checks, and all evidence of the Handoff; the other answers take a message. ' +
    'A receipt is stored as a Source. It is no proof of completion, and grants nothing.',
  bodyLimit: 8 * MiB,
  body: acknowledgementRequest,
  status: 200,
  response: handoffAcknowledgement,
  errors: ['artifact_not_found', 'source_conflict'],
  examples: [
    {
      summary: 'Accepted as committed',
      body: {
        scope_id: exampleScope,
        source_id: 'receipt-41',
        receiver: 'agent-b',
        status: 'accepted',
        selection: 'exact',
        receiver_checks: { live_state: 'confirmed', capability: 'confirmed', authorization: 'confirmed' },
        revision: { family: 'handoff', artifact_id: 'handoff', revision: 1 },
      },
      response: exampleAcknowledged,
    },
  ],
});

export const recordTaskOutcome = defineOperation({
  ...workTag,
  id: 'record_task_outcome',
  path: '/v1/work/outcomes/record',
  summary: 'Record what came of a task',
  description:
    'Stored as a Source. `handoff_receipt_ref` ties it to the receipt of the exact revision that was accepted. What is ' +
    'declared stays declared, and no check is raised to `passed`.',
  bodyLimit: 4 * MiB,
  maxBodyValues: 40_000,
  body: z.strictObject({ ...recordIdentity, outcome: taskOutcome }),
  status: 202,
  response: workSourceReceipt,
  errors: [...evidenceErrors, 'source_conflict'],
  examples: [
    {
      summary: 'Done',
      body: { scope_id: exampleScope, source_id: 'outcome-41', outcome: exampleOutcome },
      response: exampleReceipt('task-outcome', 'outcome-41', 4),
    },
  ],
});

export const workOperations = {
  create_work_contract: createWorkContract,
  handoff_current_work: handoffCurrentWork,
  acknowledge_handoff: acknowledgeHandoff,
  record_task_outcome: recordTaskOutcome,
};
