import type { ArtifactRef } from '@continuity/contract';
import type { MemoryEntry } from '@continuity/contract/memory';
import { column, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { highestId, lowestId } from '@continuity/kernel/text';
import { type CursorCodec, invalidCursor } from '@continuity/shared/handlers';
import { z } from 'zod';
import { scopeKey } from '../scopes/index.ts';
import { entryColumns, entryRow, joinVersion, memoryRef, presentEntry, scopeMemoryId } from './entry.ts';
import { holdsAt } from './validity.ts';

/** Default and limit of one page (spec 20 L3). */
const defaultLimit = 1000;
const maxPageBytes = 4 * 1024 * 1024;

/** Limit of the entries that a page of one kind, or of one time, looks at (spec 60 §3.4.1). No index has them. */
const maxLookedAt = 2000;

type Order = 'oldest' | 'newest';

interface EntryList {
  tenantId: TenantId;
  scopeId: string;
  includeInactive: boolean | undefined;
  order?: Order | undefined;
  /** Normalized. Null for entries of every kind. */
  kind?: string | null;
  /** RFC 3339 in UTC. Null for entries whenever they hold. */
  asOf?: string | null | undefined;
  limit: number | null | undefined;
  cursor: string | null | undefined;
}

interface EntryPage {
  memory: ArtifactRef | null;
  entries: MemoryEntry[];
  next_cursor: string | null;
  /** Memories of the Scope besides the Scope Memory, whose entries no page has. Absent if there are none. */
  other_memories?: number;
}

/**
 * Content of a cursor (spec 20 L4): Scope, revision, filters, order, the last entry that the page looked at, and the time of a list of
 * what held then. A cursor does not expire: those of other lists have six elements, as in earlier releases.
 */
const position = z
  .tuple([z.string(), z.int(), z.boolean(), z.enum(['oldest', 'newest']), z.string().nullable(), z.string()])
  .rest(z.string());
type Position = z.infer<typeof position>;

interface Start {
  /** Null: the current head. */
  revision: number | null;
  includeInactive: boolean;
  order: Order;
  kind: string | null;
  asOf: string | null;
  after: string;
}

/**
 * State rows that were valid at a revision, in the order of their entries. Rows that are still valid come from an ordered index scan
 * that stops at the page size. Rows closed since the first page are only read on later pages. Excluded inactive entries and old
 * revisions cost nothing. LATERAL lets the planner use the order of the index. The running sum bounds the bytes that are read;
 * `available` also counts the rows beyond it.
 */
function listStatement(name: string, order: Order) {
  const [isAfter, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  /** State rows `s` of Memory `m` after the last entry of the previous page. */
  const statesOf = `
    SELECT s.tenant_id, s.artifact_key, s.entry_id, s.version, s.active FROM memory_states s
    WHERE s.tenant_id = m.tenant_id AND s.artifact_key = m.artifact_key AND s.entry_id ${isAfter} $5::uuid
      AND s.valid_from <= m.revision`;
  const inOrder = `ORDER BY s.entry_id ${direction} LIMIT $7`;
  return statement(
    name,
    `WITH memory AS (
     SELECT a.tenant_id, a.scope_key, a.artifact_key, coalesce($4::int, a.head_revision) AS revision
     FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = $3
   ), looked_at AS (
     SELECT s.* FROM memory m CROSS JOIN LATERAL (
       (${statesOf} AND s.valid_to IS NULL AND s.active ${inOrder})
       UNION ALL
       (${statesOf} AND s.valid_to IS NULL AND NOT s.active AND $6::boolean ${inOrder})
       UNION ALL
       (${statesOf} AND s.valid_to > m.revision AND $4::int IS NOT NULL AND ($6 OR s.active))
     ) AS s ${inOrder}
   ), sized AS (
     SELECT ${entryColumns}, count(*) OVER () AS available,
       coalesce(sum(octet_length(v.text) + coalesce(octet_length(v.source_refs::text), 0)
           + coalesce(octet_length(v.artifact_refs::text), 0))
         OVER (ORDER BY s.entry_id ${direction} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
     FROM looked_at s ${joinVersion}
     WHERE ($8::text IS NULL OR v.kind = $8) AND ($9::timestamptz IS NULL OR ${holdsAt('v', '$9')})
   )
   SELECT m.revision, (SELECT count(*) FROM looked_at) AS looked_at,
     (SELECT s.entry_id FROM looked_at s ORDER BY s.entry_id ${order === 'oldest' ? 'DESC' : 'ASC'} LIMIT 1) AS last_looked_at,
     (SELECT c.heads - 1 FROM artifact_counts c
      WHERE c.tenant_id = m.tenant_id AND c.scope_key = m.scope_key AND c.family = 'memory') AS other_memories, e.*
   FROM memory m LEFT JOIN sized e ON e.bytes_before <= ${maxPageBytes} ORDER BY e.entry_id ${direction}`,
    {
      revision: column.integer,
      looked_at: column.bigint,
      last_looked_at: column.uuid.orNull(),
      other_memories: column.bigint.orNull(),
      ...entryRow,
      /** Entries from the beginning of the page on: at most those that it looks at. */
      available: column.bigint.orNull(),
      bytes_before: column.bigint,
    },
  );
}

const listStatements = {
  oldest: listStatement('list_memory_entries', 'oldest'),
  newest: listStatement('list_memory_entries_newest', 'newest'),
};

/**
 * Lists one page of the Scope Memory's entries by id, in either order (spec 20 L2 to L4). Without a filter, a page looks at one entry
 * more than it shows. Throws 400 `invalid_cursor`.
 */
export async function listEntries(sql: Sql, cursors: CursorCodec, list: EntryList): Promise<EntryPage> {
  const binding = { tenantId: list.tenantId, operation: 'list_memory_entries' };
  const start = startOf(list, (cursor) => cursors.decode(binding, cursor, position));
  const { includeInactive, order, kind, asOf } = start;
  const limit = list.limit ?? defaultLimit;
  const lookAt = kind === null && asOf === null ? limit + 1 : maxLookedAt;
  const rows = await sql.rows(listStatements[order], [
    list.tenantId,
    list.scopeId,
    scopeMemoryId,
    start.revision,
    start.after,
    includeInactive,
    lookAt,
    kind,
    asOf,
  ]);
  const [first] = rows;
  if (first === undefined) return { memory: null, entries: [], next_cursor: null };
  const memory = memoryRef(scopeMemoryId, first.revision);
  const found = rows.filter((row) => row.entry_id !== null).map((row) => presentEntry(memory, row));
  const entries = fitPage(found.slice(0, limit));
  const isCut = entries.length < (first.available ?? 0);
  const isEnd = !isCut && first.looked_at < lookAt;
  const last = isCut ? entries.at(-1)?.citation.entry_id : first.last_looked_at;
  const next = [list.scopeId, memory.revision, includeInactive, order, kind, last ?? null];
  if (asOf !== null) next.push(asOf);
  const others = first.other_memories ?? 0;
  return {
    memory,
    entries,
    next_cursor: isEnd ? null : cursors.encode(binding, next),
    ...(others > 0 && { other_memories: others }),
  };
}

function startOf(list: EntryList, decode: (cursor: string) => Position): Start {
  if (list.cursor === null || list.cursor === undefined) {
    const { includeInactive = false, order = 'oldest', kind = null, asOf = null } = list;
    return {
      revision: null,
      includeInactive,
      order,
      kind,
      asOf,
      after: order === 'oldest' ? lowestId : highestId,
    };
  }
  const [scopeId, revision, includeInactive, order, kind, after, asOf = null] = decode(list.cursor);
  const isSameList =
    scopeId === list.scopeId &&
    (list.includeInactive ?? includeInactive) === includeInactive &&
    (list.order ?? order) === order &&
    (list.kind ?? kind) === kind &&
    (list.asOf ?? asOf) === asOf;
  if (!isSameList) throw invalidCursor();
  return { revision, includeInactive, order, kind, asOf, after };
}

/** Truncates a page to its limit of JSON bytes, but to at least one item (spec 20 L3). */
export function fitPage<Item>(items: Item[]): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return index > 0 && bytes > maxPageBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}
