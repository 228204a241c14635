import { maxPublications, type RemoteSkillPublication } from '@continuity/contract/remote-skills';
import type { AgentKind } from '@continuity/contract/skill-format';
import type { LifecycleState, SkillContent } from '@continuity/contract/skills';
import type { ArtifactKey, PrismaTransaction, Queries, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { findFormatProblem } from '@continuity/skill-packages/export';
import { requireDocument } from '../documents/index.ts';
import { findLifecycleState, retiredSkillMessage } from '../skills/index.ts';
import type { BodyOf, RemoteSkillDeps } from './deps.ts';
import {
  findPublication,
  type PublicationRow,
  presentPublication,
  publicationNotFound,
  requirePublicationGeneration,
} from './publication.ts';
import { lockTarget, requireActive, type TargetKey } from './target.ts';

/**
 * Publishes one revision of a Skill to a target (spec 40 §8). Throws 404 `remote_target_not_found` and `artifact_not_found`, 409
 * `remote_target_conflict`, `governance_conflict` and `remote_publication_conflict`, and 422 `capability_not_supported`, in the order
 * of rule 1.
 */
export async function publishSkill(
  { database }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'publish_remote_skill'>,
): Promise<RemoteSkillPublication> {
  const { scope_id: scopeId, target_id: targetId, artifact } = body;
  return database.prismaTransaction(async (transaction) => {
    const { key, row: target } = await lockTarget(transaction.sql, { tenantId, scopeId, targetId });
    requireActive(target);
    const skill = await requireDocument(transaction, { tenantId, scopeId, family: 'skill', artifact });
    const { name, description, package: built } = JSON.parse(skill.content) as SkillContent;
    if (built === null) throw new Error('A Skill is stored without its package.');
    const lifecycle = await findLifecycleState(transaction, { tenantId, artifactKey: skill.artifactKey });
    requirePublishable(lifecycle, body.allow_deprecated);
    requireFormat(target.agent_kind as AgentKind, { name, description });
    const known = await findPublication(transaction.sql, key, artifact.artifact_id);
    requirePublicationGeneration(known, body.expected_generation);
    await requireFreeName(transaction, key, artifact.artifact_id, name);
    if (known === undefined || known.state === 'unpublished') await requireRoom(transaction, key);
    if (known !== undefined && isInForce(known, artifact.revision)) return presentPublication(known, scopeId);
    const intent = {
      desired_state: 'published',
      desired_revision: artifact.revision,
      desired_tree_digest: built.tree_digest,
      desired_name: name,
      state: 'pending',
      last_error_code: null,
      generation: known === undefined ? 0 : known.generation + 1,
    };
    const published: PublicationRow = {
      ...(known ?? neverObserved),
      ...intent,
      target_id: targetId,
      artifact_id: artifact.artifact_id,
      head_revision: skill.headRevision,
      lifecycle_state: lifecycle ?? 'active',
    };
    await store(transaction, key, published, skill.artifactKey);
    return presentPublication(published, scopeId);
  });
}

const neverObserved = {
  observed_revision: null,
  observed_tree_digest: null,
  observed_generation: null,
  observed_at: null,
};

function requirePublishable(lifecycle: LifecycleState | undefined, allowDeprecated: boolean): void {
  if (lifecycle === undefined) throw new Error('A Skill has no lifecycle.');
  if (lifecycle === 'active' || (lifecycle === 'deprecated' && allowDeprecated)) return;
  throw serviceError('governance_conflict', {
    message:
      lifecycle === 'retired'
        ? retiredSkillMessage
        : 'This Skill is deprecated. Publish its replacement, or send allow_deprecated.',
    details: { lifecycle_state: lifecycle },
  });
}

function requireFormat(agentKind: AgentKind, skill: { name: string; description: string }): void {
  const reason = findFormatProblem(agentKind, skill);
  if (reason === undefined) return;
  throw serviceError('capability_not_supported', {
    message:
      'The agent of this target does not load such a Skill. Publish a revision that meets its demands.',
    details: { capability: 'agent_skill_format', agent_kind: agentKind, reason },
  });
}

/** Throws 409 if another Skill has the name. It keeps its folder on the machine until its removal is confirmed. */
async function requireFreeName(
  { prisma }: Queries,
  { tenantId, scopeKey, targetId }: TargetKey,
  artifactId: string,
  name: string,
): Promise<void> {
  const other = await prisma.remoteSkillPublication.findFirst({
    where: {
      tenantId,
      scopeKey,
      targetId,
      desiredName: name,
      artifactId: { not: artifactId },
      state: { not: 'unpublished' },
    },
    orderBy: { artifactId: 'asc' },
    select: { artifactId: true },
  });
  if (other === null) return;
  throw serviceError('remote_publication_conflict', {
    message: 'Another Skill of this name is at the target. Unpublish it, and wait for its removal.',
    details: { reason: 'name_in_use', artifact_id: other.artifactId },
  });
}

async function requireRoom({ prisma }: Queries, { tenantId, scopeKey, targetId }: TargetKey): Promise<void> {
  const count = await prisma.remoteSkillPublication.count({
    where: { tenantId, scopeKey, targetId, state: { not: 'unpublished' } },
  });
  if (count < maxPublications) return;
  throw serviceError('remote_publication_conflict', {
    message: `The target has ${maxPublications} Skills. Unpublish one, and wait for its removal.`,
    details: { reason: 'limit' },
  });
}

/** Whether the revision is published already, and its delivery has not failed. */
function isInForce({ desired_state, desired_revision, state }: PublicationRow, revision: number): boolean {
  const isWanted = desired_state === 'published' && desired_revision === revision;
  return isWanted && (state === 'pending' || state === 'current');
}

async function store(
  { prisma }: PrismaTransaction,
  key: TargetKey,
  row: PublicationRow,
  artifactKey: ArtifactKey,
): Promise<void> {
  const artifactId = row.artifact_id;
  const intent = {
    desiredState: row.desired_state,
    desiredRevision: row.desired_revision,
    desiredTreeDigest: row.desired_tree_digest,
    desiredName: row.desired_name,
    state: row.state,
    lastErrorCode: row.last_error_code,
    generation: row.generation,
  };
  await prisma.remoteSkillPublication.upsert({
    where: { tenantId_scopeKey_targetId_artifactId: { ...key, artifactId } },
    create: { ...key, artifactId, artifactKey, ...intent },
    update: intent,
    select: { artifactId: true },
  });
}

/**
 * Requests the removal of a Skill from a target. Throws 404 `remote_target_not_found` and `remote_publication_not_found`, 409
 * `remote_target_conflict` and `remote_publication_conflict`.
 */
export async function unpublishSkill(
  { database }: RemoteSkillDeps,
  tenantId: TenantId,
  body: BodyOf<'unpublish_remote_skill'>,
): Promise<RemoteSkillPublication> {
  const { scope_id: scopeId, target_id: targetId, artifact_id: artifactId } = body;
  return database.prismaTransaction(async ({ prisma, sql }) => {
    const { key, row: target } = await lockTarget(sql, { tenantId, scopeId, targetId });
    requireActive(target);
    const row = await findPublication(sql, key, artifactId);
    if (row === undefined) throw publicationNotFound();
    requirePublicationGeneration(row, body.expected_generation);
    if (row.desired_state === 'unpublished') return presentPublication(row, scopeId);
    const generation = row.generation + 1;
    await prisma.remoteSkillPublication.update({
      where: { tenantId_scopeKey_targetId_artifactId: { ...key, artifactId } },
      data: { desiredState: 'unpublished', state: 'pending', lastErrorCode: null, generation },
      select: { artifactId: true },
    });
    const intent = { desired_state: 'unpublished', state: 'pending', last_error_code: null, generation };
    return presentPublication({ ...row, ...intent }, scopeId);
  });
}
