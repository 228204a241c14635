import type { ArtifactRef } from '@continuity/contract';
import type { MemoryEntry } from '@continuity/contract/memory';
import { column, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { lowestId } from '@continuity/kernel/text';
import { type CursorCodec, invalidCursor } from '@continuity/shared/handlers';
import { z } from 'zod';
import { scopeKey } from '../scopes/index.ts';
import { entryColumns, entryRow, joinVersion, memoryRef, presentEntry, scopeMemoryId } from './entry.ts';

/** Default and limit of one page (spec 20 L3). */
const defaultLimit = 1000;
const maxPageBytes = 4 * 1024 * 1024;

interface EntryList {
  tenantId: TenantId;
  scopeId: string;
  includeInactive: boolean | undefined;
  limit: number | null | undefined;
  cursor: string | null | undefined;
}

interface EntryPage {
  memory: ArtifactRef | null;
  entries: MemoryEntry[];
  next_cursor: string | null;
}

/** Content of a cursor (spec 20 L4): Scope, revision, filter and last entry of the page. */
const position = z.tuple([z.string(), z.int(), z.boolean(), z.string()]);
type Position = z.infer<typeof position>;

interface Start {
  /** Null: the current head. */
  revision: number | null;
  includeInactive: boolean;
  after: string;
}

/** State rows `s` of Memory `m` after the last entry of the previous page. */
const statesOf = `
  SELECT s.tenant_id, s.artifact_key, s.entry_id, s.version, s.active FROM memory_states s
  WHERE s.tenant_id = m.tenant_id AND s.artifact_key = m.artifact_key AND s.entry_id > $5::uuid
    AND s.valid_from <= m.revision`;

/**
 * State rows that were valid at a revision, ordered by entry. Rows that are still valid come from an ordered index scan that
 * stops at the page size. Rows closed since the first page are only read on later pages. Excluded inactive entries and old
 * revisions cost nothing. LATERAL lets the planner use the order of the index. The running sum bounds the bytes that are read;
 * `available` also counts the rows beyond it.
 */
const listStatement = statement(
  'list_memory_entries',
  `WITH memory AS (
     SELECT a.tenant_id, a.artifact_key, coalesce($4::int, a.head_revision) AS revision
     FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3
   ), page AS (
     SELECT s.* FROM memory m CROSS JOIN LATERAL (
       (${statesOf} AND s.valid_to IS NULL AND s.active ORDER BY s.entry_id LIMIT $7)
       UNION ALL
       (${statesOf} AND s.valid_to IS NULL AND NOT s.active AND $6::boolean ORDER BY s.entry_id LIMIT $7)
       UNION ALL
       (${statesOf} AND s.valid_to > m.revision AND $4::int IS NOT NULL AND ($6 OR s.active))
     ) AS s ORDER BY s.entry_id LIMIT $7
   ), sized AS (
     SELECT ${entryColumns},
       coalesce(sum(octet_length(v.text) + coalesce(octet_length(v.source_refs::text), 0)
           + coalesce(octet_length(v.artifact_refs::text), 0))
         OVER (ORDER BY s.entry_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
     FROM page s ${joinVersion}
   )
   SELECT m.revision, (SELECT count(*) FROM page) AS available, e.*
   FROM memory m LEFT JOIN sized e ON e.bytes_before <= ${maxPageBytes} ORDER BY e.entry_id`,
  {
    revision: column.integer,
    /** Entries from the beginning of the page on, counted up to one more than the limit of the page. */
    available: column.bigint,
    ...entryRow,
    bytes_before: column.bigint,
  },
);

/** Lists one page of the Scope Memory's entries, ascending by id (spec 20 L2 to L4). Throws 400 `invalid_cursor`. */
export async function listEntries(sql: Sql, cursors: CursorCodec, list: EntryList): Promise<EntryPage> {
  const binding = { tenantId: list.tenantId, operation: 'list_memory_entries' };
  const start = startOf(list, (cursor) => cursors.decode(binding, cursor, position));
  const limit = list.limit ?? defaultLimit;
  const rows = await sql.rows(listStatement, [
    list.tenantId,
    list.scopeId,
    scopeMemoryId,
    start.revision,
    start.after,
    start.includeInactive,
    limit + 1,
  ]);
  const [first] = rows;
  if (first === undefined) return { memory: null, entries: [], next_cursor: null };
  const memory = memoryRef(scopeMemoryId, first.revision);
  const found = rows.filter((row) => row.entry_id !== null).map((row) => presentEntry(memory, row));
  const entries = fitPage(found.slice(0, limit));
  const last = entries.at(-1);
  const hasMore = last !== undefined && entries.length < first.available;
  const next = hasMore
    ? cursors.encode(binding, [list.scopeId, memory.revision, start.includeInactive, last.citation.entry_id])
    : null;
  return { memory, entries, next_cursor: next };
}

function startOf(list: EntryList, decode: (cursor: string) => Position): Start {
  if (list.cursor === null || list.cursor === undefined) {
    return { revision: null, includeInactive: list.includeInactive ?? false, after: lowestId };
  }
  const [scopeId, revision, includeInactive, after] = decode(list.cursor);
  const isSameList =
    scopeId === list.scopeId && (list.includeInactive ?? includeInactive) === includeInactive;
  if (!isSameList) throw invalidCursor();
  return { revision, includeInactive, after };
}

/** Truncates a page to its limit of JSON bytes, but to at least one entry. */
function fitPage(entries: MemoryEntry[]): MemoryEntry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, index) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return index > 0 && bytes > maxPageBytes;
  });
  return end === -1 ? entries : entries.slice(0, end);
}
