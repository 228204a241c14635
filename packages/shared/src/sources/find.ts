import { pick, type Sql, statement, type TenantId, tables } from '@continuity/kernel/database';
import { digestFromBytes } from '@continuity/kernel/json';
import { sourceOfScope } from './identity.ts';

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
