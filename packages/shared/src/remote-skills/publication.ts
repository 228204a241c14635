import type { PublicationState, RemoteSkillPublication } from '@continuity/contract/remote-skills';
import {
  optimizationFence,
  pick,
  type RowOf,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import type { RemoteTarget } from '@continuity/shared/handlers';
import { findPackage, readDownload } from '../skills/index.ts';
import type { BodyOf, RemoteSkillDeps } from './deps.ts';
import { recordContact, type TargetKey } from './target.ts';

/** The columns of a publication's row. */
export const storedPublication = pick(
  tables.remote_skill_publications,
  'target_id',
  'artifact_id',
  'desired_state',
  'desired_revision',
  'desired_tree_digest',
  'desired_name',
  'observed_revision',
  'observed_tree_digest',
  'observed_generation',
  'state',
  'last_error_code',
  'observed_at',
  'generation',
);

/** A publication as its row holds it. */
export type StoredPublication = RowOf<typeof storedPublication>;

/** The columns of a publication as it is shown: its row, and what says whether its Skill has a newer head. */
export const publicationColumns = {
  ...storedPublication,
  ...pick(tables.artifacts, 'head_revision'),
  ...pick(tables.managed_skills, 'lifecycle_state'),
};

export type PublicationRow = RowOf<typeof publicationColumns>;

/** The select list of `publicationColumns`. The aliases are those of `joinSkill`. */
export const selectPublication = [
  ...Object.keys(storedPublication).map((name) => `p.${name}`),
  'a.head_revision',
  'm.lifecycle_state',
].join(', ');

/** Joins the Skill of a publication `p`, by its key (docs/architecture.md, Memory). */
export const joinSkill = `CROSS JOIN LATERAL (
     SELECT head_revision FROM artifacts WHERE tenant_id = p.tenant_id AND artifact_key = p.artifact_key ${optimizationFence}
   ) AS a CROSS JOIN LATERAL (
     SELECT lifecycle_state FROM managed_skills WHERE tenant_id = p.tenant_id AND artifact_key = p.artifact_key ${optimizationFence}
   ) AS m`;

/** A publication in the shape of the contract. */
export function presentPublication(row: PublicationRow, scopeId: string): RemoteSkillPublication {
  return {
    scope_id: scopeId,
    target_id: row.target_id,
    artifact_id: row.artifact_id,
    desired_state: row.desired_state as RemoteSkillPublication['desired_state'],
    desired_revision: row.desired_revision,
    desired_tree_digest: row.desired_tree_digest,
    observed_revision: row.observed_revision,
    observed_tree_digest: row.observed_tree_digest,
    observed_generation: row.observed_generation,
    state: shownState(row),
    last_error_code: row.last_error_code,
    observed_at: row.observed_at?.toISOString() ?? null,
    generation: row.generation,
  };
}

/** `update_available` for a current publication whose Skill has a newer head and is not retired; otherwise the stored state. */
function shownState(row: PublicationRow): PublicationState {
  const { state, observed_revision: observed, head_revision: head, lifecycle_state: lifecycle } = row;
  const isOutdated = state === 'current' && observed !== null && head > observed && lifecycle !== 'retired';
  return isOutdated ? 'update_available' : (state as PublicationState);
}

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

/** Throws 409 unless the publication has the generation that its caller has read. Null: the caller has found no publication. */
export function requirePublicationGeneration(
  row: PublicationRow | undefined,
  expectedGeneration: number | null,
): void {
  const current = row?.generation ?? null;
  if (current === expectedGeneration) return;
  throw serviceError('remote_publication_conflict', {
    details: { expected_generation: expectedGeneration, current_generation: current },
  });
}

export function publicationNotFound(): ServiceError {
  return serviceError('remote_publication_not_found');
}

/** The 409 for a Receiver that names another generation or package. */
export function otherGeneration({ generation }: Pick<PublicationRow, 'generation'>): ServiceError {
  return serviceError('remote_publication_conflict', {
    message: 'This is not what is published to the target. Reconcile again.',
    details: { current_generation: generation },
  });
}

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
