import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { sourceOfScope } from './identity.ts';
import type { SourceRecordKind } from './new-source.ts';

/** A Source of type `content`. */
export interface FoundRecord {
  /** Null for a Source that a caller captured. */
  record: SourceRecordKind | null;
  content: JsonValue;
  position: number;
  contentDigest: Buffer;
}

const findStatement = statement(
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
  const row = await sql.first(findStatement, [tenantId, scopeId, sourceId]);
  if (row === undefined) return undefined;
  const { record, content, position, content_digest } = row;
  return { record, content: JSON.parse(content) as JsonValue, position, contentDigest: content_digest };
}
