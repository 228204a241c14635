import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import {
  column,
  optimizationFence,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { storedPublication } from '../publication.ts';
import type { TargetKey } from '../target.ts';

const ofTarget = 'tenant_id = $1 AND scope_key = $2 AND target_id = $3';

/**
 * Publications whose removal is not confirmed, and those that the Receiver names ($4, with revisions $5). The row is enough to verify
 * the desired revision. For another revision, the statement reads its content.
 */
const readStatement = statement(
  'read_remote_reconcile',
  `SELECT ${Object.keys(storedPublication)
    .map((name) => `p.${name}`)
    .join(', ')},
     k.archive_digest, k.file_count, k.uncompressed_size, k.archive_size,
     r.content::jsonb ->> 'name' AS seen_name, r.content::jsonb #>> '{package,tree_digest}' AS seen_tree_digest
   FROM (
     SELECT * FROM remote_skill_publications WHERE ${ofTarget} AND state <> 'unpublished'
     UNION ALL
     SELECT * FROM remote_skill_publications WHERE ${ofTarget} AND state = 'unpublished' AND artifact_id = ANY ($4::text[])
   ) AS p
   CROSS JOIN LATERAL (
     SELECT archive_digest, file_count, uncompressed_size, archive_size FROM skill_packages
     WHERE tenant_id = p.tenant_id AND scope_key = p.scope_key AND tree_digest = decode(p.desired_tree_digest, 'hex')
     ${optimizationFence}
   ) AS k
   LEFT JOIN unnest($4::text[], $5::bigint[]) AS seen (artifact_id, revision) ON seen.artifact_id = p.artifact_id
   LEFT JOIN LATERAL (
     SELECT content FROM artifact_revisions
     WHERE tenant_id = p.tenant_id AND artifact_key = p.artifact_key AND revision = seen.revision
       AND seen.revision <> p.desired_revision
     ${optimizationFence}
   ) AS r ON true
   ORDER BY p.artifact_id`,
  {
    ...storedPublication,
    ...pick(tables.skill_packages, 'archive_digest', 'file_count', 'uncompressed_size', 'archive_size'),
    seen_name: column.text.orNull(),
    seen_tree_digest: column.text.orNull(),
  },
);

/** A publication with the package of its desired revision, and name and digest of another observed revision. */
export type ReconciledRow = RowOfStatement<typeof readStatement>;

/** Reads the input of a reconcile in one statement, ordered by Artifact id. */
export async function readRows(
  sql: Sql,
  { tenantId, scopeKey, targetId }: TargetKey,
  observations: readonly RemoteSkillObservation[],
): Promise<ReconciledRow[]> {
  const ids = observations.map(({ artifact }) => artifact.artifact_id);
  const revisions = observations.map(({ artifact }) => artifact.revision);
  return await sql.rows(readStatement, [tenantId, scopeKey, targetId, ids, revisions]);
}
