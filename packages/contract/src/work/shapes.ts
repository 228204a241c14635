import { z } from 'zod';
import { disposition, handoffResolution, preparedHandoff, preparedHandoffInput } from '../handoff/shapes.ts';
import {
  artifactRef,
  citation,
  digest,
  int,
  scopeId,
  sourceRef,
  trimmed,
  uniqueStrings,
} from '../notation/shapes.ts';

const claimText = trimmed(1, 8192);

/** `Items(a..b)`: distinct texts. */
function items(min: number, max: number) {
  return uniqueStrings(claimText, min, max);
}

const evidenceField = (max: number) => z.array(citation).max(max).default([]);
const basisField = z.enum(['declared', 'verified']).default('declared');

/** At most 31 Citations, because the boundary Source is the 32nd of a Handoff's statement. */
export const workClaim = z
  .strictObject({ text: claimText, basis: basisField, evidence: evidenceField(31) })
  .meta({ id: 'WorkClaim' });

const claims = (min: number) => z.array(workClaim).min(min).max(64);
const untrustedInput = z.literal('untrusted_input').default('untrusted_input');

export const workContract = z
  .strictObject({
    schema: z.literal('service.work-contract.v1').default('service.work-contract.v1'),
    trust: untrustedInput,
    objective: claimText,
    facts: claims(0).default([]),
    in_scope: items(1, 64),
    exclusions: items(0, 64).default([]),
    completion_criteria: items(1, 64),
    authorization_notes: items(0, 64).default([]),
    open_questions: items(0, 64).default([]),
  })
  .meta({ id: 'WorkContract', description: 'What the task is, and when it is done.' });

export const currentWorkHandoff = z
  .strictObject({
    schema: z.literal('service.current-work-handoff.v1').default('service.current-work-handoff.v1'),
    trust: untrustedInput,
    objective: claimText,
    state: claims(1),
    disposition,
    next_action: workClaim.nullable().default(null),
    omissions: items(0, 64).default([]),
  })
  .meta({ id: 'CurrentWorkHandoff', description: 'Where the work stands, and what comes next.' });

const taskCheck = z
  .strictObject({
    name: claimText,
    status: z.enum(['passed', 'failed', 'skipped', 'timed_out', 'unavailable', 'cancelled', 'unknown']),
    details: claimText.nullable().default(null),
    basis: basisField,
    evidence: evidenceField(32),
  })
  .meta({ id: 'TaskCheck' });

export const taskOutcome = z
  .strictObject({
    schema: z.literal('service.task-outcome.v1').default('service.task-outcome.v1'),
    trust: z.literal('untrusted_observation').default('untrusted_observation'),
    objective: claimText,
    status: z.enum(['succeeded', 'partial', 'blocked', 'failed', 'cancelled', 'unknown']),
    summary: claimText,
    handoff_receipt_ref: sourceRef.nullable().default(null),
    observations: claims(1),
    checks: z.array(taskCheck).max(64).default([]),
    produced_artifacts: z.array(artifactRef).max(32).default([]),
    remaining_work: items(0, 64).default([]),
  })
  .meta({ id: 'TaskOutcome', description: 'How the task ended.' });

export const receiverChecks = z
  .strictObject({
    live_state: z.enum(['confirmed', 'mismatch', 'not_checked']),
    capability: z.enum(['confirmed', 'insufficient', 'not_checked']),
    authorization: z.enum(['confirmed', 'insufficient', 'not_checked']),
  })
  .meta({
    id: 'ReceiverChecks',
    description: 'What the receiver has checked. `accepted` needs all confirmed.',
  });

export const receiptStatus = z
  .enum(['accepted', 'needs_clarification', 'declined'])
  .meta({ description: 'All but `accepted` need a `message`.' });
export const receiptSelection = z
  .enum(['prepared', 'exact'])
  .meta({ description: '`exact`: with `revision`. `prepared`: with a Prepared Handoff.' });

/** Limit of Citations in a receipt. All 2,080 Citations of a Handoff would exceed the limit of a Source (spec 30 §8.5). */
export const maxUnavailableEvidence = 256;

/** A receipt as stored. Only `acknowledge_handoff` can create one. */
export const handoffReceipt = z.strictObject({
  schema: z.literal('service.handoff-receipt.v1'),
  trust: z.literal('untrusted_observation'),
  receiver: trimmed(1, 256),
  status: receiptStatus,
  selection: receiptSelection,
  selected_revision: artifactRef.nullable(),
  prepared_digest: digest.nullable(),
  receiver_checks: receiverChecks.nullable(),
  evidence_status: z.enum(['available', 'unavailable']),
  unavailable_evidence: z.array(citation).max(maxUnavailableEvidence),
  unavailable_evidence_count: int(0, 2080),
  message: claimText.nullable(),
});

export const workSourceReceipt = z
  .strictObject({
    kind: z.enum(['work-contract', 'handoff-boundary', 'handoff-receipt', 'task-outcome']),
    source: sourceRef,
    position: int(1),
    content_digest: digest,
  })
  .meta({ id: 'WorkSourceReceipt' });

export const preparedWorkHandoff = z
  .strictObject({
    boundary: workSourceReceipt,
    handoff: preparedHandoff,
    committed: artifactRef.nullable().meta({
      description: 'The revision that cites the boundary; null without `commit`.',
    }),
  })
  .meta({ id: 'PreparedWorkHandoff' });

export const handoffAcknowledgement = z
  .strictObject({ resolution: handoffResolution, receipt: workSourceReceipt })
  .meta({ id: 'HandoffAcknowledgement' });

/** Scope and caller's id of each record. */
export const recordIdentity = {
  scope_id: scopeId,
  source_id: trimmed(1, 256).meta({ description: 'An id of your own for this record.' }),
};

export type WorkClaim = z.infer<typeof workClaim>;
export type WorkContract = z.infer<typeof workContract>;
export type CurrentWorkHandoff = z.infer<typeof currentWorkHandoff>;
export type TaskCheck = z.infer<typeof taskCheck>;
export type TaskOutcome = z.infer<typeof taskOutcome>;
export type ReceiverChecks = z.infer<typeof receiverChecks>;
export type HandoffReceipt = z.infer<typeof handoffReceipt>;
export type WorkSourceReceipt = z.infer<typeof workSourceReceipt>;
export type PreparedWorkHandoff = z.infer<typeof preparedWorkHandoff>;
export type HandoffAcknowledgement = z.infer<typeof handoffAcknowledgement>;

/** The request of `acknowledge_handoff`. */
export const acknowledgementRequest = z.strictObject({
  ...recordIdentity,
  receiver: trimmed(1, 256),
  status: receiptStatus,
  selection: receiptSelection,
  receiver_checks: receiverChecks.nullable().default(null),
  prepared: preparedHandoffInput.nullable().default(null),
  revision: artifactRef.nullable().default(null),
  message: trimmed(1, 8192).nullable().default(null).meta({ description: 'For the sender.' }),
});

export type Acknowledgement = z.infer<typeof acknowledgementRequest>;
