import type { SourcePage, SourceState } from '@continuity/contract/sources';
import { column, pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { scopeKey } from '../scopes/index.ts';
import { presentSourceSummary, sourceSummaryColumns, sourceSummaryRow } from './summary.ts';

/** Limit of the Sources that a page of one state looks at, except for `pending` (spec 60 §3.5.2). */
const maxLookedAt = 1_000;

interface SourceList {
  tenantId: TenantId;
  scopeId: string;
  limit: number;
  state?: SourceState | undefined;
  cursor?: string | undefined;
}

/**
 * Looks at the Sources of a Scope below a position, newest first, and reads those of the page. One row without a Source where there is
 * none; no row for a Scope that never had one. Parameters: tenant, Scope id, position, Sources to look at, state or null, limit.
 *
 * @param which SQL condition on the Sources `s` of the sequence `q` that are looked at
 */
const listStatement = (name: string, which: string) =>
  statement(
    name,
    `WITH line AS MATERIALIZED (
     SELECT q.tenant_id, q.scope_key, q.last_position, q.extraction_cursor FROM source_sequences q
     WHERE q.tenant_id = $1 AND q.scope_key = ${scopeKey}
   ), looked_at AS MATERIALIZED (
     SELECT s.position, CASE WHEN NOT s.eligible THEN 'not_eligible' WHEN s.position > q.extraction_cursor THEN 'pending'
            ELSE 'processed' END AS state
     FROM line q CROSS JOIN LATERAL (
       SELECT s.position, s.eligible FROM sources s
       WHERE s.tenant_id = q.tenant_id AND s.scope_key = q.scope_key AND s.position < $3 ${which}
       ORDER BY s.position DESC LIMIT $4
     ) AS s
   ), page AS (
     SELECT position FROM looked_at WHERE $5::text IS NULL OR state = $5 ORDER BY position DESC LIMIT $6
   )
   SELECT q.last_position, q.extraction_cursor, (SELECT count(*) FROM looked_at) AS looked_at,
     (SELECT min(position) FROM looked_at) AS last_looked_at, s.*
   FROM line q LEFT JOIN LATERAL (
     SELECT ${sourceSummaryColumns}
     FROM page CROSS JOIN LATERAL (
       SELECT * FROM sources s
       WHERE s.tenant_id = q.tenant_id AND s.scope_key = q.scope_key AND s.position = page.position
     ) AS s
   ) AS s ON true
   ORDER BY s.position DESC`,
    {
      ...sourceSummaryRow,
      ...pick(tables.source_sequences, 'last_position', 'extraction_cursor'),
      looked_at: column.bigint,
      last_looked_at: column.bigint.orNull(),
      position: tables.sources.position.orNull(),
    },
  );

const anyStatement = listStatement('list_sources', '');
const pendingStatement = listStatement(
  'list_pending_sources',
  'AND s.eligible AND s.position > q.extraction_cursor',
);

/** Lists one page of a Scope's Sources, newest first (spec 60 §3.5). Throws 400 `invalid_cursor`. */
export async function listSources(
  sql: Sql,
  cursors: CursorCodec,
  { tenantId, scopeId, limit, state, cursor }: SourceList,
): Promise<SourcePage> {
  const binding = { tenantId, operation: 'list_sources', query: [scopeId, state ?? null] };
  const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : cursors.decode(binding, cursor, z.int());
  const lookAt = state === undefined || state === 'pending' ? limit + 1 : maxLookedAt;
  const values = [tenantId, scopeId, below, lookAt, state ?? null, limit + 1];
  const rows = await sql.rows(state === 'pending' ? pendingStatement : anyStatement, values);
  const [first] = rows;
  if (first === undefined) return { items: [], next_cursor: null, high_watermark: 0, extraction_cursor: 0 };
  const { last_position, extraction_cursor } = first;
  const found = rows.flatMap((row) => (row.position === null ? [] : [{ ...row, position: row.position }]));
  const items = found.slice(0, limit).map((row) => presentSourceSummary(row, extraction_cursor));
  const isCut = items.length < found.length;
  const last = isCut ? items.at(-1)?.position : first.last_looked_at;
  const isEnd = !isCut && first.looked_at < lookAt;
  return {
    items,
    next_cursor: isEnd ? null : cursors.encode(binding, last ?? null),
    high_watermark: last_position,
    extraction_cursor,
  };
}
