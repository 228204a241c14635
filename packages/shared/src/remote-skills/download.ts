import type { TenantId } from '@continuity/kernel/database';
import { canonicalJson } from '@continuity/kernel/json';
import type { RemoteTarget } from '@continuity/shared/handlers';
import { findPackage, readDownload } from '../skills/index.ts';
import type { BodyOf } from './bodies.ts';
import { recordContact } from './contact.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { findPublication, otherGeneration, publicationNotFound } from './publication.ts';

/**
 * Serves the published package of a Skill to the Receiver of a target. Throws 404 `remote_publication_not_found`, and 409
 * `remote_publication_conflict` unless the request names exactly this package. Both record a contact.
 */
export async function downloadPublished(
  { database }: RemoteSkillDeps,
  tenantId: TenantId,
  target: RemoteTarget,
  { generation, artifact, package: asked }: BodyOf<'download_remote_skill_package'>,
) {
  const key = await recordContact(database.lockingSql, tenantId, target);
  const row = await findPublication(database.sql, key, artifact.artifact_id);
  if (row === undefined) throw publicationNotFound();
  const isPublished =
    row.desired_state === 'published' &&
    row.generation === generation &&
    artifact.family === 'skill' &&
    row.desired_revision === artifact.revision &&
    row.desired_tree_digest === asked.tree_digest;
  if (!isPublished) throw otherGeneration(row);
  const stored = await findPackage(database, key, row.desired_tree_digest);
  if (canonicalJson(stored?.ref ?? null) !== canonicalJson(asked)) throw otherGeneration(row);
  return readDownload(database, key, row.desired_tree_digest);
}
