import { deploymentStatement, type Sql } from '@continuity/kernel/database';

/** Renderings that one sweep deletes, because each can hold megabytes. */
const sweepBatch = 200;

const deleteUnused = deploymentStatement(
  'delete_unused_report_renderings',
  `DELETE FROM report_renderings USING (
     SELECT tenant_id, rendering_id FROM report_renderings
     WHERE kept_until < now() AND NOT (reusable AND created_at > now() - $1::bigint * interval '1 millisecond')
     LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
   ) AS unused
   WHERE report_renderings.tenant_id = unused.tenant_id AND report_renderings.rendering_id = unused.rendering_id`,
);

/** Deletes renderings that no job refers to and that may not be answered again. */
export async function sweepRenderings(sql: Sql, ttlMs: number): Promise<void> {
  await sql.rows(deleteUnused, [ttlMs]);
}
