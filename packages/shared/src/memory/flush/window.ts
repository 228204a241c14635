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
import { scopeKey } from '../../scopes/index.ts';
import { evidenceText } from '../../sources/index.ts';
import type { ExtractedRecordKind } from '../extraction/index.ts';

/** A Source of a flush window. */
export interface WindowSource {
  position: number;
  sourceType: string;
  sourceId: string;
  /** Canonical JSON of the content; not parsed, because content can be 1 MiB. */
  json: string;
  /** Kind of a work record; null for any other Source. */
  record: ExtractedRecordKind | null;
  /** JSON of the metadata; null without any. */
  metadata: string | null;
  /** When it was said, with its offset; null if not known. */
  occurredAt: string | null;
  capturedAt: Date;
}

/** The first pending Sources of a Scope, with its extraction cursor (spec 20 F1, F2). */
export interface FlushWindow {
  scopeId: string;
  scopeKey: ScopeKey;
  cursor: number;
  highWatermark: number;
  /** Ascending by position; empty when nothing is pending. */
  sources: WindowSource[];
  retry: RetryState;
}

/** Retry state of a Scope's flushes; see `retry.ts`. */
export interface RetryState {
  failedFlushes: number;
  invalidOutputs: number;
  /** Null: the configured limit. 0: one Source, processed by the built-in extractor. */
  windowLimit: number | null;
}

/** Limit of a window's content in bytes, to bound the memory of a worker. The first Source may exceed it. */
const maxWindowBytes = 32 * 1024 * 1024;

const readStatement = statement(
  'read_flush_window',
  `SELECT q.scope_key, q.extraction_cursor, q.last_position, q.failed_flushes, q.invalid_outputs, q.window_limit,
          s.position, s.source_type, s.source_id, s.content, s.record, s.metadata, s.created_at, s.occurred_at
   FROM source_sequences q
   LEFT JOIN LATERAL (
     SELECT p.*, sum(octet_length(p.content)) OVER (ORDER BY p.position) AS bytes,
            row_number() OVER (ORDER BY p.position) AS place
     FROM (
       SELECT s.position, s.source_type, s.source_id, ${evidenceText} AS content, s.record, s.metadata, s.created_at,
              s.occurred_at
       FROM sources s
       WHERE s.tenant_id = q.tenant_id AND s.scope_key = q.scope_key AND s.eligible AND s.position > q.extraction_cursor
       ORDER BY s.position LIMIT greatest(1, least($3::int, coalesce(q.window_limit, $3::int)))
     ) AS p
   ) AS s ON s.bytes <= ${maxWindowBytes} OR s.place = 1
   WHERE q.tenant_id = $1 AND q.scope_key = ${scopeKey}
   ORDER BY s.position`,
  {
    ...pick(
      tables.source_sequences,
      'scope_key',
      'extraction_cursor',
      'last_position',
      'failed_flushes',
      'invalid_outputs',
      'window_limit',
    ),
    ...pick(tables.sources, 'source_type', 'source_id'),
    position: tables.sources.position.orNull(),
    content: column.text,
    record: tables.sources.record.as<ExtractedRecordKind>(),
    ...pick(tables.sources, 'metadata', 'created_at', 'occurred_at'),
  },
);

type WindowRow = RowOfStatement<typeof readStatement>;

/** Reads the next window of at most `limit` Sources; undefined for a Scope without Sources. */
export async function readWindow(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  limit: number,
): Promise<FlushWindow | undefined> {
  const rows = await sql.rows(readStatement, [tenantId, scopeId, limit]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    scopeId,
    scopeKey: first.scope_key,
    cursor: first.extraction_cursor,
    highWatermark: first.last_position,
    sources: rows.flatMap(toSource),
    retry: {
      failedFlushes: first.failed_flushes,
      invalidOutputs: first.invalid_outputs,
      windowLimit: first.window_limit,
    },
  };
}

function toSource(row: WindowRow): WindowSource[] {
  if (row.position === null) return [];
  return [
    {
      position: row.position,
      sourceType: row.source_type,
      sourceId: row.source_id,
      json: row.content,
      record: row.record,
      metadata: row.metadata,
      occurredAt: row.occurred_at,
      capturedAt: row.created_at,
    },
  ];
}
