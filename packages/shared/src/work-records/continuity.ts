import {
  maxContinuityEvents,
  type ReceiverChecks,
  type WorkContinuity,
  type WorkContinuityEvent,
  type WorkRecordStatus,
} from '@continuity/contract/work';
import {
  column,
  pick,
  type RowOfStatement,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { contentRef, handoffRefOrNull } from '../evidence/index.ts';
import { recordCounters, type WorkRecordKind } from './projection.ts';

/** A Scope whose work records are read, for the Handoff revision that is selected there. */
interface ContinuityRequest {
  scopeId: string;
  scopeKey: ScopeKey;
  /** Records after this position are ignored. */
  throughPosition: number;
  selectedRevision: number | null;
}

const recordSchemas: Record<WorkRecordKind, string> = {
  'work-contract': 'service.work-contract.v1',
  'handoff-boundary': 'service.current-work-handoff.v1',
  'handoff-receipt': 'service.handoff-receipt.v1',
  'task-outcome': 'service.task-outcome.v1',
};

const requests = `unnest($2::bigint[], $3::bigint[], $4::int[]) WITH ORDINALITY
     AS i(scope_key, through_position, selected_revision, n)`;

/** Each look-up ends after one row of an index, whatever the number of records. */
const stateStatement = statement(
  'read_work_states',
  `SELECT i.n::int AS place, ${recordCounters.map((counter) => `c.${counter}`).join(', ')},
          r.source_id AS receipt_id, r.status AS receipt_status,
          EXISTS (
            SELECT FROM work_records o
            WHERE o.tenant_id = $1 AND o.scope_key = i.scope_key AND o.receipt_id = r.source_id AND o.receipt_name = 'content'
              AND o.position > r.position AND o.position <= i.through_position
          ) AS is_covered
   FROM ${requests}
   LEFT JOIN LATERAL (
     SELECT ${recordCounters.join(', ')} FROM work_records w
     WHERE w.tenant_id = $1 AND w.scope_key = i.scope_key AND w.position <= i.through_position
     ORDER BY w.position DESC LIMIT 1
   ) AS c ON true
   LEFT JOIN LATERAL (
     SELECT w.position, w.source_id, w.status FROM work_records w
     WHERE w.tenant_id = $1 AND w.scope_key = i.scope_key AND w.selected_revision = i.selected_revision
       AND w.position <= i.through_position
     ORDER BY w.position DESC LIMIT 1
   ) AS r ON true
   ORDER BY i.n`,
  {
    place: column.integer,
    work_contracts: column.integer.orNull(),
    work_boundaries: column.integer.orNull(),
    work_receipts: column.integer.orNull(),
    work_outcomes: column.integer.orNull(),
    invalid_work_records: column.integer.orNull(),
    receipt_id: column.text.orNull(),
    receipt_status: tables.work_records.status.as<'accepted' | 'needs_clarification' | 'declined'>(),
    is_covered: column.boolean,
  },
);

const eventStatement = statement(
  'read_work_events',
  `SELECT i.n::int AS place, e.*
   FROM ${requests}
   CROSS JOIN LATERAL (
     SELECT w.position, w.kind, w.source_id, w.status, w.summary, w.actor, w.selected_revision, w.receipt_name, w.receipt_id,
            w.receiver_checks
     FROM work_records w
     WHERE w.tenant_id = $1 AND w.scope_key = i.scope_key AND w.status IS NOT NULL AND w.position <= i.through_position
     ORDER BY w.position DESC LIMIT ${maxContinuityEvents}
   ) AS e
   ORDER BY i.n, e.position`,
  {
    place: column.integer,
    ...pick(
      tables.work_records,
      'position',
      'source_id',
      'summary',
      'actor',
      'selected_revision',
      'receipt_name',
      'receipt_id',
    ),
    kind: tables.work_records.kind.as<WorkRecordKind>(),
    status: tables.work_records.status.as<WorkRecordStatus>(),
    receiver_checks: tables.work_records.receiver_checks.as<ReceiverChecks>(),
  },
);

type StateRow = RowOfStatement<typeof stateStatement>;
type EventRow = RowOfStatement<typeof eventStatement>;

/**
 * Reads the continuity projections of Scopes (spec 30 §2.7), in the order of the requests. Two statements in one round trip for any
 * number of Scopes; at most 64 records of each are read, whatever their number. Pass a snapshot.
 */
export async function readContinuity(
  sql: Sql,
  tenantId: TenantId,
  asked: readonly ContinuityRequest[],
): Promise<WorkContinuity[]> {
  const values = [
    tenantId,
    asked.map(({ scopeKey }) => scopeKey),
    asked.map(({ throughPosition }) => throughPosition),
    asked.map(({ selectedRevision }) => selectedRevision),
  ];
  const [states, events] = await Promise.all([
    sql.rows(stateStatement, values),
    sql.rows(eventStatement, values),
  ]);
  const byPlace = Map.groupBy(events, ({ place }) => place);
  return asked.map((request, index) => {
    const state = states[index];
    if (state === undefined) throw new Error('A Scope that was asked for has no work state.');
    return present(request, state, byPlace.get(index + 1) ?? []);
  });
}

function present(
  { scopeId, selectedRevision }: ContinuityRequest,
  state: StateRow,
  events: EventRow[],
): WorkContinuity {
  const counts = {
    contract_records: state.work_contracts ?? 0,
    handoff_records: state.work_boundaries ?? 0,
    acknowledgement_records: state.work_receipts ?? 0,
    outcome_records: state.work_outcomes ?? 0,
  };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    schema: 'service.work-continuity.v1',
    trust: 'untrusted_history',
    scope_id: scopeId,
    selected_handoff: handoffRefOrNull(selectedRevision),
    total_event_count: total,
    invalid_record_count: state.invalid_work_records ?? 0,
    truncated: total > maxContinuityEvents,
    events: events.map(toEvent),
    coverage: { ...counts, ...transferOf(state, selectedRevision) },
  };
}

/** Transfer and outcome of the selected Handoff (spec 30 §2.7.3, §2.7.4). */
function transferOf({ receipt_id, receipt_status, is_covered }: StateRow, selectedRevision: number | null) {
  const none = {
    outcome_state: 'not_expected',
    active_receipt_ref: null,
    handoff_result_covered: false,
  } as const;
  if (selectedRevision === null) return { transfer_state: 'not_applicable', ...none } as const;
  if (receipt_id === null || receipt_status === null)
    return { transfer_state: 'awaiting_receipt', ...none } as const;
  if (receipt_status !== 'accepted') return { transfer_state: receipt_status, ...none };
  return {
    transfer_state: receipt_status,
    outcome_state: is_covered ? 'covered' : 'awaiting_outcome',
    active_receipt_ref: contentRef(receipt_id),
    handoff_result_covered: is_covered,
  } as const;
}

function toEvent(row: EventRow): WorkContinuityEvent {
  const { position, kind, status, summary, actor, receipt_name, receipt_id } = row;
  if (status === null) throw new Error('A valid work record has no status.');
  return {
    position,
    kind,
    source_ref: contentRef(row.source_id),
    record_schema: recordSchemas[kind],
    status,
    summary,
    actor,
    selected_revision: handoffRefOrNull(row.selected_revision),
    handoff_receipt_ref:
      receipt_name === null || receipt_id === null ? null : { name: receipt_name, source_id: receipt_id },
    receiver_checks: checksOf(row.receiver_checks),
  };
}

/** In the order of the contract: `jsonb` does not preserve the order of keys. */
function checksOf(stored: ReceiverChecks | null): ReceiverChecks | null {
  if (stored === null) return null;
  const { live_state, capability, authorization } = stored;
  return { live_state, capability, authorization };
}
