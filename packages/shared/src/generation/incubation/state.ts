import type { SourceRef } from '@continuity/contract';
import {
  pick,
  type Queries,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';

/** Limit of a window, in Sources (spec 40 §2.3). */
const maxWindow = 32;

/** Number of invalid model answers that halves the window. */
const maxInvalid = 3;

/** The next Task Outcomes of a Scope. */
export interface IncubationWindow {
  scopeKey: ScopeKey;
  /** The cursor when the window was read. */
  cursor: number;
  /** Position of the cursor after the window. */
  end: number;
  /** Ascending by position; empty if there are none. */
  outcomes: SourceRef[];
  /** Limit of the window, in Sources. */
  limit: number;
  /** Invalid answers to this window so far. */
  invalid: number;
}

/**
 * Reads the next window: at most 32 Sources from the next Task Outcome on. The Sources before it hold none, so they need no
 * window of their own. Undefined for a Scope without Sources.
 */
export async function readWindow(
  { prisma }: Queries,
  tenantId: TenantId,
  scopeKey: ScopeKey,
): Promise<IncubationWindow | undefined> {
  const state = await prisma.sourceSequence.findUnique({
    where: { tenantId_scopeKey: { tenantId, scopeKey } },
    select: { lastPosition: true, incubationCursor: true, incubationWindow: true, incubationInvalid: true },
  });
  if (state === null) return undefined;
  const { lastPosition, incubationCursor: cursor, incubationWindow, incubationInvalid: invalid } = state;
  const limit = incubationWindow ?? maxWindow;
  const found = await prisma.source.findMany({
    where: { tenantId, scopeKey, record: 'task-outcome', position: { gt: cursor } },
    orderBy: { position: 'asc' },
    take: limit,
    select: { position: true, sourceType: true, sourceId: true },
  });
  const first = found[0]?.position;
  const end = first === undefined ? lastPosition : Math.min(first + limit - 1, lastPosition);
  const outcomes = found
    .filter(({ position }) => position <= end)
    .map(({ sourceType, sourceId }) => ({ name: sourceType, source_id: sourceId }));
  return { scopeKey, cursor, end, outcomes, limit, invalid };
}

/** Compares the row with the last position, so that a Source which commits meanwhile keeps the Scope due. */
const moveStatement = statement(
  'move_incubation_cursor',
  `UPDATE source_sequences SET incubation_cursor = $4, incubation_window = $5, incubation_invalid = 0,
     incubation_due_at = CASE WHEN last_position > $4 THEN now() END
   WHERE tenant_id = $1 AND scope_key = $2 AND incubation_cursor = $3
   RETURNING incubation_cursor`,
  pick(tables.source_sequences, 'incubation_cursor'),
);

/** Moves the cursor behind a window, and doubles a window that was halved. Throws if another run has moved the cursor. */
export async function moveCursor(sql: Sql, tenantId: TenantId, window: IncubationWindow): Promise<void> {
  const { scopeKey, cursor, end, limit } = window;
  const grown = limit * 2 >= maxWindow ? null : limit * 2;
  const moved = await sql.first(moveStatement, [tenantId, scopeKey, cursor, end, grown]);
  if (moved === undefined) throw new Error('The incubation cursor was moved outside of its job group.');
}

const failStatement = statement(
  'record_invalid_incubation',
  `UPDATE source_sequences SET incubation_window = $4, incubation_invalid = $5
   WHERE tenant_id = $1 AND scope_key = $2 AND incubation_cursor = $3`,
);

/**
 * Counts an invalid answer of a model. The third one halves the window. False after the third one for a window of a single Source,
 * which the caller then parks.
 */
export async function recordInvalid(
  sql: Sql,
  tenantId: TenantId,
  window: IncubationWindow,
): Promise<boolean> {
  const { scopeKey, cursor, limit, invalid } = window;
  const isLast = invalid + 1 >= maxInvalid;
  if (isLast && limit === 1) return false;
  const next = isLast ? Math.floor(limit / 2) : limit;
  await sql.rows(failStatement, [tenantId, scopeKey, cursor, next, isLast ? 0 : invalid + 1]);
  return true;
}

const parkStatement = statement(
  'park_incubated_source',
  `INSERT INTO parked_sources (tenant_id, scope_key, position, reason) VALUES ($1, $2, $3, 'incubation')
   ON CONFLICT DO NOTHING`,
);

/** Parks the single Source of a window: records that incubation skipped it. */
export async function parkSource(
  sql: Sql,
  tenantId: TenantId,
  { scopeKey, end }: IncubationWindow,
): Promise<void> {
  await sql.rows(parkStatement, [tenantId, scopeKey, end]);
}
