import { z } from 'zod';
import { artifactRef, int, scopeId, sourceRef, str } from '../notation/shapes.ts';
import { receiverChecks, workSourceReceipt } from './shapes.ts';

/** Limit of the events of a projection (spec 30 §2.7.2). */
export const maxContinuityEvents = 64;

const count = int(0);

export const continuityStatus = z.enum([
  'delegated',
  'continuable',
  'blocked',
  'complete',
  'accepted',
  'needs_clarification',
  'declined',
  'succeeded',
  'partial',
  'failed',
  'cancelled',
  'unknown',
]);

export const workContinuityEvent = z
  .strictObject({
    position: int(1),
    kind: workSourceReceipt.shape.kind,
    source_ref: sourceRef,
    record_schema: str(1, 256),
    status: continuityStatus,
    summary: str(1, 8192).nullable(),
    actor: str(1, 256).nullable(),
    selected_revision: artifactRef.nullable(),
    handoff_receipt_ref: sourceRef.nullable(),
    receiver_checks: receiverChecks.nullable(),
  })
  .meta({ id: 'WorkContinuityEvent' });

export const workContinuityCoverage = z
  .strictObject({
    contract_records: count,
    handoff_records: count,
    acknowledgement_records: count,
    outcome_records: count,
    transfer_state: z.enum([
      'not_applicable',
      'awaiting_receipt',
      'needs_clarification',
      'declined',
      'accepted',
    ]),
    outcome_state: z.enum(['not_expected', 'awaiting_outcome', 'covered']),
    active_receipt_ref: sourceRef.nullable(),
    handoff_result_covered: z.boolean(),
  })
  .meta({ id: 'WorkContinuityCoverage' });

/** The continuity projection: the transfer and the outcome of one Handoff, by the work records of its Scope (spec 30 §2.7). */
export const workContinuity = z
  .strictObject({
    schema: z.literal('service.work-continuity.v1'),
    trust: z.literal('untrusted_history'),
    scope_id: scopeId,
    selected_handoff: artifactRef.nullable(),
    total_event_count: count,
    invalid_record_count: count,
    truncated: z.boolean(),
    events: z.array(workContinuityEvent).max(maxContinuityEvents),
    coverage: workContinuityCoverage,
  })
  .meta({ id: 'WorkContinuity' });

export type WorkRecordStatus = z.infer<typeof continuityStatus>;
export type WorkContinuityEvent = z.infer<typeof workContinuityEvent>;
export type WorkContinuityCoverage = z.infer<typeof workContinuityCoverage>;
export type WorkContinuity = z.infer<typeof workContinuity>;
