import { type Sql, statement } from '@continuity/kernel/database';
import { joinSkill, type PublicationRow, publicationColumns, selectPublication } from './publication.ts';
import type { TargetKey } from './target.ts';

const findStatement = statement(
  'find_remote_publication',
  `SELECT ${selectPublication} FROM remote_skill_publications p ${joinSkill}
   WHERE p.tenant_id = $1 AND p.scope_key = $2 AND p.target_id = $3 AND p.artifact_id = $4`,
  publicationColumns,
);

/** Finds the publication of a Skill at a target. Writers lock the target first. */
export async function findPublication(
  sql: Sql,
  { tenantId, scopeKey, targetId }: TargetKey,
  artifactId: string,
): Promise<PublicationRow | undefined> {
  return await sql.first(findStatement, [tenantId, scopeKey, targetId, artifactId]);
}
