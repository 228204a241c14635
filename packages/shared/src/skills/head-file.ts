import type { SkillContent } from '@continuity/contract/skills';
import { type Database, pick, statement, type TenantId, tables } from '@continuity/kernel/database';
import { textOf } from '@continuity/skill-packages';
import { headRevision } from '../documents/index.ts';
import { scopeKey } from '../scopes/index.ts';
import { loadPackageFile } from './package-store.ts';

/** Limit of a file that is read as text, in bytes. */
const maxTextBytes = 131_072;

const findStatement = statement(
  'find_unretired_skill_head',
  `SELECT b.scope_key, r.content
   FROM (
     SELECT a.scope_key, a.artifact_key, a.head_revision FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'skill' AND a.artifact_id = $3
   ) AS b
   JOIN managed_skills m ON m.tenant_id = $1 AND m.artifact_key = b.artifact_key AND m.lifecycle_state <> 'retired'
   ${headRevision}`,
  { ...pick(tables.artifacts, 'scope_key'), ...pick(tables.artifact_revisions, 'content') },
);

/** Names a file of the head of a Skill. */
export interface HeadFile {
  scopeId: string;
  artifactId: string;
  path: string;
}

/** Reads a text file of at most 131,072 bytes of the head of a Skill that is not retired; undefined where there is none. */
export async function readHeadFile(
  database: Database,
  tenantId: TenantId,
  { scopeId, artifactId, path }: HeadFile,
): Promise<string | undefined> {
  const head = await database.sql.first(findStatement, [tenantId, scopeId, artifactId]);
  if (head?.content === undefined || head.content === null) return undefined;
  const { package: ref } = JSON.parse(head.content) as SkillContent;
  if (ref === null) return undefined;
  const place = { tenantId, scopeKey: head.scope_key };
  const bytes = await loadPackageFile(database, place, ref.tree_digest, { path, maxBytes: maxTextBytes });
  return bytes && (textOf(bytes) ?? undefined);
}
