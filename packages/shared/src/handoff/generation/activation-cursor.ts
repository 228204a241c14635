import type { SourceRef } from '@continuity/contract';
import type { HandoffActivation } from '@continuity/contract/handoff';
import {
  optimizationFence,
  pick,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import type { EvidencePlace } from '../../evidence/index.ts';
import { sourceOfScope } from '../../sources/index.ts';

/** Position of a boundary, and the activation cursor of its Scope. */
interface Activation {
  scopeKey: ScopeKey;
  position: number;
  cursor: number;
}

const findStatement = statement(
  'find_handoff_activation',
  `SELECT c.scope_key, s.position, q.handoff_cursor
   FROM scopes c
   CROSS JOIN LATERAL (
     SELECT s.position FROM sources s WHERE ${sourceOfScope} AND s.source_type = $3 AND s.source_id = $4 ${optimizationFence}
   ) AS s
   JOIN source_sequences q ON q.tenant_id = c.tenant_id AND q.scope_key = c.scope_key
   WHERE c.tenant_id = $1 AND c.scope_id = $2`,
  {
    scope_key: tables.scopes.scope_key,
    position: tables.sources.position,
    handoff_cursor: tables.source_sequences.handoff_cursor,
  },
);

const moveStatement = statement(
  'move_handoff_cursor',
  `UPDATE source_sequences SET handoff_cursor = $4
   WHERE tenant_id = $1 AND scope_key = $2 AND handoff_cursor = $3
   RETURNING handoff_cursor`,
  pick(tables.source_sequences, 'handoff_cursor'),
);

/** Finds boundary and cursor; undefined for an unknown Source. */
export async function findActivation(
  sql: Sql,
  { tenantId, scopeId }: EvidencePlace,
  boundary: SourceRef,
): Promise<Activation | undefined> {
  const values = [tenantId, scopeId, boundary.name, boundary.source_id];
  const row = await sql.first(findStatement, values);
  return row && { scopeKey: row.scope_key, position: row.position, cursor: row.handoff_cursor };
}

/** Moves the cursor to the boundary. Throws if it has moved, because the job group serializes the activations of a Scope. */
export async function moveCursor(
  sql: Sql,
  tenantId: TenantId,
  { scopeKey, position, cursor }: Activation,
): Promise<void> {
  const moved = await sql.first(moveStatement, [tenantId, scopeKey, cursor, position]);
  if (moved === undefined) throw new Error('The activation cursor was moved outside of its job group.');
}

/** The result for a boundary at or before the cursor (spec 30 §3.4.2). */
export function ignored(boundary: SourceRef, cursor: number): HandoffActivation {
  return {
    status: 'ignored',
    boundary_source: boundary,
    previous_position: cursor,
    current_position: cursor,
    draft: null,
  };
}
