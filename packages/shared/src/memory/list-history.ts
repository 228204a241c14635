import type { EntryHistory } from '@continuity/contract/memory';
import {
  optimizationFence,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { scopeKey } from '../scopes/index.ts';
import { memoryNotFound } from './conflicts.ts';
import { changeRow, entryColumns, entryRow, joinVersion, memoryRef, presentEntry } from './entry.ts';
import { fitPage } from './list-entries.ts';

interface HistoryList {
  tenantId: TenantId;
  scopeId: string;
  artifactId: string;
  entryId: string;
  limit: number;
  cursor: string | null;
}

/** Content of a cursor: head of the first page, and revision of the last event of the page. */
const position = z.tuple([z.int(), z.int()]);

/** Each event of an entry began a state at its revision. So a page reads as many rows of each table as it shows, and one more. */
const historyStatement = statement(
  'list_memory_entry_history',
  `SELECT a.head_revision, ch.op, ch.reason, r.created_at, s.valid_from, ${entryColumns}
   FROM artifacts a
   CROSS JOIN LATERAL (
     SELECT s.tenant_id, s.artifact_key, s.entry_id, s.version, s.active, s.valid_from FROM memory_states s
     WHERE s.tenant_id = a.tenant_id AND s.artifact_key = a.artifact_key AND s.entry_id = $4
       AND s.valid_from < coalesce($5::int, a.head_revision + 1)
     ORDER BY s.valid_from DESC LIMIT $6
   ) AS s
   ${joinVersion}
   CROSS JOIN LATERAL (
     SELECT ch.op, ch.reason FROM memory_changes ch
     WHERE ch.tenant_id = s.tenant_id AND ch.artifact_key = s.artifact_key AND ch.revision = s.valid_from AND ch.entry_id = s.entry_id
     ${optimizationFence}
   ) AS ch
   CROSS JOIN LATERAL (
     SELECT r.created_at FROM artifact_revisions r
     WHERE r.tenant_id = s.tenant_id AND r.artifact_key = s.artifact_key AND r.revision = s.valid_from ${optimizationFence}
   ) AS r
   WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3
   ORDER BY s.valid_from DESC`,
  {
    ...entryRow,
    ...pick(tables.artifacts, 'head_revision'),
    ...pick(tables.artifact_revisions, 'created_at'),
    ...pick(tables.memory_states, 'valid_from'),
    op: changeRow.op,
    reason: changeRow.reason,
  },
);

/**
 * Lists one page of the events of an entry, newest first (spec 60 §3.3). Throws 400 `invalid_cursor`, and 404 `memory_not_found` for an
 * entry that the Memory never had.
 */
export async function listHistory(
  sql: Sql,
  cursors: CursorCodec,
  { tenantId, scopeId, artifactId, entryId, limit, cursor }: HistoryList,
): Promise<EntryHistory> {
  const query = [scopeId, artifactId, entryId];
  const binding = { tenantId, operation: 'list_memory_entry_history', query };
  const [pinnedHead, before] = cursor === null ? [null, null] : cursors.decode(binding, cursor, position);
  if (!isServerId(entryId)) throw memoryNotFound();
  const rows = await sql.rows(historyStatement, [tenantId, scopeId, artifactId, entryId, before, limit + 1]);
  const [first] = rows;
  if (first === undefined) throw memoryNotFound();
  const head = pinnedHead ?? first.head_revision;
  const events = fitPage(
    rows.slice(0, limit).map((row) => ({
      op: row.op,
      at: row.created_at.toISOString(),
      reason: row.reason,
      entry: presentEntry(memoryRef(artifactId, row.valid_from), row),
    })),
  );
  const last = rows[events.length - 1]?.valid_from;
  const hasMore = last !== undefined && events.length < rows.length;
  const next_cursor = hasMore ? cursors.encode(binding, [head, last]) : null;
  return { memory: memoryRef(artifactId, head), events, next_cursor };
}
