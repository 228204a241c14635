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
  summary: 'Record the contract of a task',
  description:
    'Stores the contract as a Source, with every default filled in. A `declared` fact has no evidence, a `verified` one has some. ' +
    'A contract starts no work and grants no right. An equal repeat under the same `source_id` returns the first answer.',
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
  summary: 'Record the state of the work, and prepare a Handoff from it',
  description:
    'Stores the record as a Source, which is the first evidence of each statement. Calls no model. With `commit`, the Handoff ' +
    'becomes the next revision in the same transaction, whatever the head is. Otherwise send it to `commit_handoff`.',
  bodyLimit: 4 * MiB,
  body: z.strictObject({
    ...recordIdentity,
    handoff: currentWorkHandoff,
    commit: z.boolean().default(false).meta({ description: 'Whether to commit the Handoff at once.' }),
  }),
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
  summary: 'Accept a Handoff, ask for clarification, or decline it',
  description:
    'The status `accepted` needs three confirmed checks, and all evidence of the Handoff must be readable. The other statuses ' +
    'need a `message`. Stores the receipt as a Source. A receipt proves no completion and grants no right.',
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
  summary: 'Record the outcome of a task',
  description:
    'Stores the outcome as a Source. `handoff_receipt_ref` links it to the receipt of the exact revision that was accepted. ' +
    'The service stores the basis of each observation and the status of each check as sent.',
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
