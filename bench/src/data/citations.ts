import type { MemoryCitation } from '@continuity/contract';
import pg from 'pg';

/** Citations of each Scope. */
const citationsPerScope = 20;

/** Reads citations of entries of each Scope, at the head revision of its Memory. */
export async function readCitations(
  databaseUrl: string,
  scopeIds: string[],
): Promise<{ scopeId: string; citations: MemoryCitation[] }[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ scopeId: string; citations: MemoryCitation[] }>(
      `SELECT c.scope_id AS "scopeId", json_agg(json_build_object(
         'memory_ref', json_build_object('family', 'memory', 'artifact_id', a.artifact_id, 'revision', a.head_revision),
         'entry_id', v.entry_id, 'entry_version_id', v.entry_version_id)) AS citations
       FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
       CROSS JOIN LATERAL (
         SELECT entry_id, entry_version_id FROM memory_versions v
         WHERE v.tenant_id = a.tenant_id AND v.artifact_key = a.artifact_key LIMIT ${citationsPerScope}
       ) AS v
       WHERE c.scope_id = ANY ($1) GROUP BY c.scope_id`,
      [scopeIds],
    );
    return rows;
  } finally {
    await client.end();
  }
}
