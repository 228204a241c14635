import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { digestFromBytes, type JsonValue } from '@continuity/kernel/json';
import { type SourceRecordKind, sourceOfScope } from './source.ts';

interface StoredSource {
  /** Canonical JSON. */
  content: string;
  position: number;
  /** The contract's `digest` form. */
  contentDigest: string;
}

const findStatement = statement(
  'find_source',
  `SELECT s.content, s.position, s.content_digest
   FROM sources s
   WHERE ${sourceOfScope} AND s.source_type = $3 AND s.source_id = $4`,
  pick(tables.sources, 'content', 'position', 'content_digest'),
);

/** Finds a Source by type and id. */
export async function findSource(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  sourceType: string,
  sourceId: string,
): Promise<StoredSource | undefined> {
  const row = await sql.first(findStatement, [tenantId, scopeId, sourceType, sourceId]);
  if (row === undefined) return undefined;
  return {
    content: row.content,
    position: row.position,
    contentDigest: digestFromBytes(row.content_digest),
  };
}

/** A Source of type `content`. */
export interface FoundRecord {
  /** Null for a Source that a caller captured. */
  record: SourceRecordKind | null;
  content: JsonValue;
  position: number;
  contentDigest: Buffer;
}

const findRecordStatement = statement(
  'find_source_record',
  `SELECT s.record, s.content, s.position, s.content_digest
   FROM sources s
   WHERE ${sourceOfScope} AND s.source_type = 'content' AND s.source_id = $3`,
  {
    ...pick(tables.sources, 'content', 'position', 'content_digest'),
    record: tables.sources.record.as<SourceRecordKind>(),
  },
);

/** Finds a Source of type `content` by its id. */
export async function findRecord(
  sql: Sql,
  tenantId: TenantId,
  scopeId: string,
  sourceId: string,
): Promise<FoundRecord | undefined> {
  const row = await sql.first(findRecordStatement, [tenantId, scopeId, sourceId]);
  if (row === undefined) return undefined;
  const { record, content, position, content_digest } = row;
  return { record, content: JSON.parse(content) as JsonValue, position, contentDigest: content_digest };
}
