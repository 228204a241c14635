import type { SourceRef } from '@continuity/contract';
import type { SourceTrace } from '@continuity/contract/memory';
import {
  column,
  type Database,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { JsonObject } from '@continuity/kernel/json';
import {
  presentSourceSummary,
  sourceOfScope,
  sourceSummaryColumns,
  sourceSummaryRow,
} from '../sources/index.ts';
import { entryColumns, entryRow, joinVersion, memoryRef, presentEntry, scopeMemoryId } from './entry.ts';

/** Limit of the entries of an answer (spec 60 §3.6.1). */
const maxEntries = 100;

/** The Source, and the flush of its window: the first one that ended at or after it. */
const findStatement = statement(
  'trace_source',
  `SELECT ${sourceSummaryColumns}, s.metadata, s.scope_key, q.extraction_cursor, f.after_position, f.revision
   FROM sources s
   CROSS JOIN LATERAL (
     SELECT q.extraction_cursor FROM source_sequences q WHERE q.tenant_id = s.tenant_id AND q.scope_key = s.scope_key
   ) AS q
   LEFT JOIN LATERAL (
     SELECT f.after_position, f.revision FROM source_flushes f
     WHERE f.tenant_id = s.tenant_id AND f.scope_key = s.scope_key AND f.last_position >= s.position
     ORDER BY f.last_position LIMIT 1
   ) AS f ON true
   WHERE ${sourceOfScope} AND s.source_type = $3 AND s.source_id = $4`,
  {
    ...sourceSummaryRow,
    ...pick(tables.sources, 'metadata', 'scope_key'),
    ...pick(tables.source_sequences, 'extraction_cursor'),
    after_position: tables.source_flushes.after_position.orNull(),
    revision: tables.source_flushes.revision.orNull(),
  },
);

const stateAt = (condition: string) => `CROSS JOIN LATERAL (
     SELECT s.tenant_id, s.artifact_key, s.entry_id, s.version, s.active FROM memory_states s
     WHERE s.tenant_id = c.tenant_id AND s.artifact_key = c.artifact_key AND s.entry_id = c.entry_id AND ${condition}
   ) AS s`;

/**
 * The entries that revision $3 of the Scope Memory changed and that cite the Source $4 there, each as it was then and as it is at the
 * head. A flush changes at most 2,000 entries (spec 20 X5).
 */
const entriesStatement = statement(
  'trace_source_entries',
  `WITH cited AS MATERIALIZED (
     SELECT a.tenant_id, a.artifact_key, a.head_revision, ch.revision, ch.entry_id
     FROM artifacts a
     JOIN memory_changes ch ON ch.tenant_id = a.tenant_id AND ch.artifact_key = a.artifact_key AND ch.revision = $3
     CROSS JOIN LATERAL (
       SELECT v.source_refs FROM memory_versions v
       WHERE v.tenant_id = ch.tenant_id AND v.artifact_key = ch.artifact_key AND v.entry_id = ch.entry_id
         AND v.version = ch.to_version
     ) AS v
     WHERE a.tenant_id = $1 AND a.scope_key = $2 AND a.family = 'memory' AND a.artifact_id = '${scopeMemoryId}'
       AND v.source_refs @> $4::jsonb
   ), shown AS (
     SELECT * FROM cited ORDER BY entry_id LIMIT ${maxEntries}
   ), state AS (
     SELECT c.head_revision, true AS is_then, s.* FROM shown c ${stateAt('s.valid_from = c.revision')}
     UNION ALL
     SELECT c.head_revision, false, s.* FROM shown c ${stateAt('s.valid_to IS NULL')}
   )
   SELECT (SELECT count(*) FROM cited) AS total, s.head_revision, s.is_then, ${entryColumns}
   FROM state s ${joinVersion}
   ORDER BY s.entry_id, s.is_then DESC`,
  {
    ...entryRow,
    ...pick(tables.artifacts, 'head_revision'),
    total: column.bigint,
    is_then: column.boolean,
  },
);

interface TracedSource {
  tenantId: TenantId;
  scopeId: string;
  source: SourceRef;
}

/** Shows what extraction made of a Source (spec 60 §3.6), on one snapshot. Throws 404 `source_not_found`. */
export function traceSource(
  database: Pick<Database, 'snapshot'>,
  { tenantId, scopeId, source }: TracedSource,
): Promise<SourceTrace> {
  return database.snapshot(async (sql) => {
    const { name: source_type, source_id } = source;
    const row = await sql.first(findStatement, [tenantId, scopeId, source_type, source_id]);
    if (row === undefined) {
      throw serviceError('source_not_found', { details: { scope_id: scopeId, source_type, source_id } });
    }
    const summary = presentSourceSummary(row, row.extraction_cursor);
    const isFlushed = summary.state === 'processed';
    const hasTrace = row.after_position !== null && row.after_position < row.position;
    const revision = isFlushed && hasTrace ? row.revision : null;
    const answer = {
      source: summary,
      metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as JsonObject),
      traced: !isFlushed || hasTrace,
    };
    if (revision === null) return { ...answer, memory: null, entries: [], more: 0 };
    const found = await readEntries(sql, [tenantId, row.scope_key, revision, JSON.stringify([source])]);
    return { ...answer, memory: memoryRef(scopeMemoryId, revision), ...found(revision) };
  });
}

async function readEntries(sql: Sql, values: unknown[]) {
  const rows = await sql.rows(entriesStatement, values);
  const now = new Map(rows.filter(({ is_then }) => !is_then).map((row) => [row.entry_id, row]));
  return (revision: number): Pick<SourceTrace, 'entries' | 'more'> => {
    const entries = rows.flatMap((then) => {
      const head = now.get(then.entry_id);
      if (!then.is_then || head === undefined) return [];
      return {
        // biome-ignore lint/suspicious/noThenProperty: the contract's name, and nothing awaits an item
        then: presentEntry(memoryRef(scopeMemoryId, revision), then),
        now: presentEntry(memoryRef(scopeMemoryId, head.head_revision), head),
      };
    });
    return { entries, more: Math.max(0, (rows[0]?.total ?? 0) - entries.length) };
  };
}
