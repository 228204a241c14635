import { canonicalJson } from '@continuity/kernel/json';
import type { WorkProjection } from './projection.ts';

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
