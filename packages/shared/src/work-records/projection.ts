import { type Issue, maxBodyValuesOf, type OperationSpec, type SourceRef } from '@continuity/contract';
import {
  type CurrentWorkHandoff,
  currentWorkHandoff,
  type HandoffReceipt,
  type ReceiverChecks,
  type TaskOutcome,
  taskOutcome,
  type WorkContract,
  type WorkRecordStatus,
  type WorkSourceReceipt,
  workContract,
  workOperations,
} from '@continuity/contract/work';
import {
  canonicalJson,
  checkJsonSize,
  findJsonIssues,
  type JsonObject,
  type JsonValue,
} from '@continuity/kernel/json';
import type { z } from 'zod';
import { findContractIssues, findCurrentWorkIssues, findOutcomeIssues } from './basis-rules.ts';

/** The kinds of Sources that record the progress of work (spec 30 §2.2). */
export type WorkRecordKind = WorkSourceReceipt['kind'];

/** Fields of a valid record in the continuity projection (spec 30 §2.7.2). */
interface WorkEvent {
  status: WorkRecordStatus;
  summary: string | null;
  /** The receiver of a receipt. */
  actor: string | null;
  /** The revision of the Scope's Handoff that a receipt names. */
  selectedRevision: number | null;
  /** The receipt that an outcome names. */
  receiptRef: SourceRef | null;
  receiverChecks: ReceiverChecks | null;
}

/** A Source whose metadata call it a work record. `event` is null for an invalid record. */
export interface WorkProjection {
  kind: WorkRecordKind;
  event: WorkEvent | null;
}

const noReceipt = { actor: null, selectedRevision: null, receiptRef: null, receiverChecks: null };

const contractEvent = ({ objective }: WorkContract): WorkEvent => ({
  ...noReceipt,
  status: 'delegated',
  summary: objective,
});

const boundaryEvent = ({ objective, disposition }: CurrentWorkHandoff): WorkEvent => ({
  ...noReceipt,
  status: disposition,
  summary: objective,
});

const outcomeEvent = ({ status, summary, handoff_receipt_ref }: TaskOutcome): WorkEvent => ({
  ...noReceipt,
  status,
  summary,
  receiptRef: handoff_receipt_ref,
});

const receiptEvent = (receipt: HandoffReceipt): WorkEvent => ({
  status: receipt.status,
  summary: receipt.message,
  actor: receipt.receiver,
  selectedRevision: receipt.selected_revision?.revision ?? null,
  receiptRef: null,
  receiverChecks: receipt.receiver_checks,
});

/** Reads the text of a captured record, which can be anything. Returns its event, or null for an invalid record. */
type Reader = (text: string) => WorkEvent | null;

const readers: Record<WorkRecordKind, Reader> = {
  'work-contract': reader(
    workOperations.create_work_contract,
    workContract,
    findContractIssues,
    contractEvent,
  ),
  'handoff-boundary': reader(
    workOperations.handoff_current_work,
    currentWorkHandoff,
    findCurrentWorkIssues,
    boundaryEvent,
  ),
  'task-outcome': reader(workOperations.record_task_outcome, taskOutcome, findOutcomeIssues, outcomeEvent),
  // Only `acknowledge_handoff` makes receipts (spec 30 §8.5).
  'handoff-receipt': () => null,
};

/** A captured record has the limits of the operation that writes such records. */
function reader<Shape extends z.ZodType>(
  operation: OperationSpec,
  shape: Shape,
  issuesOf: (record: z.output<Shape>) => Issue[],
  eventOf: (record: z.output<Shape>) => WorkEvent,
): Reader {
  return (text) => {
    // Before anything else: deep nesting would exhaust the stack.
    if (checkJsonSize(Buffer.from(text), maxBodyValuesOf(operation)) !== undefined) return null;
    const record = parseJson(text);
    if (findJsonIssues(record).length > 0) return null;
    const parsed = shape.safeParse(record);
    return parsed.success && issuesOf(parsed.data).length === 0 ? eventOf(parsed.data) : null;
  };
}

/** The projection of a record that the service has validated. */
export function projectWrittenRecord(kind: WorkRecordKind, content: JsonObject): WorkProjection {
  return { kind, event: writtenEvents[kind](content as never) };
}

const writtenEvents: Record<WorkRecordKind, (content: never) => WorkEvent> = {
  'work-contract': contractEvent,
  'handoff-boundary': boundaryEvent,
  'task-outcome': outcomeEvent,
  'handoff-receipt': receiptEvent,
};

/**
 * The projection of a Source of type `content` that a caller captured (spec 30 §2.7.1); undefined if its metadata do not call it a
 * work record. A text is parsed as JSON. Evidence is not looked up.
 */
export function projectCapturedSource(
  content: JsonValue,
  metadata: JsonObject | null | undefined,
): WorkProjection | undefined {
  const kind = metadata?.['kind'];
  if (typeof kind !== 'string' || !isWorkRecordKind(kind)) return undefined;
  return { kind, event: readers[kind](typeof content === 'string' ? content : JSON.stringify(content)) };
}

/**
 * The projection of a stored Source whose metadata call it a work record. `record` is the kind of a record that the service wrote,
 * and null for a captured one.
 */
export function projectStoredSource(
  record: string | null,
  content: JsonValue,
  metadata: JsonObject,
): WorkProjection {
  if (record !== null && isWorkRecordKind(record)) return projectWrittenRecord(record, content as JsonObject);
  const projection = projectCapturedSource(content, metadata);
  if (projection === undefined) throw new Error('The metadata of the Source name no kind of work record.');
  return projection;
}

function isWorkRecordKind(kind: string): kind is WorkRecordKind {
  return Object.hasOwn(readers, kind);
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** The columns of `work_records` that a projection fills, in the order of `projectionValues`, with their SQL types. */
export const projectionTypes = {
  kind: 'text',
  status: 'text',
  summary: 'text',
  actor: 'text',
  selected_revision: 'int',
  receipt_name: 'text',
  receipt_id: 'text',
  receiver_checks: 'jsonb',
};

export const projectionColumns = Object.keys(projectionTypes).join(', ');

/** The counters of records: in `source_sequences` those of the Scope, in `work_records` those up to and including the record. */
export const recordCounters = [
  'work_contracts',
  'work_boundaries',
  'work_receipts',
  'work_outcomes',
  'invalid_work_records',
] as const;

/** SQL of what a record adds to each of `recordCounters`. `kind` and `status` are SQL expressions of its columns. */
export function countersOf(kind: string, status: string): Record<(typeof recordCounters)[number], string> {
  const valid = (name: string) => `(${kind} = '${name}' AND ${status} IS NOT NULL)::int`;
  return {
    work_contracts: valid('work-contract'),
    work_boundaries: valid('handoff-boundary'),
    work_receipts: valid('handoff-receipt'),
    work_outcomes: valid('task-outcome'),
    invalid_work_records: `(${status} IS NULL)::int`,
  };
}

/** The values of `projectionTypes`. */
export function projectionValues({ kind, event }: WorkProjection): unknown[] {
  const { status, summary, actor, selectedRevision, receiptRef, receiverChecks } = event ?? {};
  return [
    kind,
    status ?? null,
    summary ?? null,
    actor ?? null,
    selectedRevision ?? null,
    receiptRef?.name ?? null,
    receiptRef?.source_id ?? null,
    receiverChecks ? canonicalJson(receiverChecks) : null,
  ];
}
