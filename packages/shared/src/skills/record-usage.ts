import type { SkillContent, SkillUsage } from '@continuity/contract/skills';
import type { Database, Queries, TenantId } from '@continuity/kernel/database';
import { invalidRequest, serviceError } from '@continuity/kernel/errors';
import { asDigest, bytesOfDigest, type JsonObject } from '@continuity/kernel/json';
import { requireDocument } from '../documents/index.ts';
import { findEvidence } from '../evidence/index.ts';
import { appendAlone, findSource, serviceSource, sourceConflict } from '../sources/index.ts';

const sourceType = 'skill-usage';

/**
 * Captures an observation of a Skill as a Source (spec 40 §6.9), and returns its position. Idempotent: an equal repeat writes nothing.
 * Throws 409 `source_conflict`, then 404 `artifact_not_found`, 422 and 422 `source_not_eligible`.
 */
export async function recordUsage(
  database: Database,
  tenantId: TenantId,
  usage: SkillUsage,
): Promise<number> {
  const { scope_id: scopeId, observation_id: sourceId, ...fields } = usage;
  const observed = { schema: 'service.skill-usage.v1', ...fields } as JsonObject;
  const source = serviceSource({ tenantId, scopeId }, sourceType, sourceId, observed);
  const known = await findSource(database.sql, tenantId, scopeId, sourceType, sourceId);
  if (known !== undefined) {
    if (known.content === source.content) return known.position;
    const contentDigest = bytesOfDigest(known.contentDigest);
    throw sourceConflict({ name: sourceType, source_id: sourceId }, { ...known, contentDigest });
  }
  await checkObserved(database, tenantId, usage);
  const appended = await appendAlone(database, source, null);
  if (appended.outcome === 'exists' && !appended.source.isEqual) {
    throw sourceConflict({ name: sourceType, source_id: sourceId }, appended.source);
  }
  return appended.source.position;
}

async function checkObserved(queries: Queries, tenantId: TenantId, usage: SkillUsage): Promise<void> {
  const { scope_id: scopeId, skill_ref: artifact, package_digest, task_source } = usage;
  const skill = await requireDocument(queries, { tenantId, scopeId, family: 'skill', artifact });
  const content = JSON.parse(skill.content) as SkillContent;
  if (content.package === null || package_digest !== asDigest(content.package.tree_digest)) {
    const message = 'must be sha256: and the tree_digest of the package of skill_ref';
    throw invalidRequest([{ path: 'package_digest', message }]);
  }
  if (task_source === null) return;
  const citation = { kind: 'source', source_ref: task_source } as const;
  const found = await findEvidence(queries.sql, { tenantId, scopeId }, [citation]);
  if (found.isLineageOnly(citation)) {
    throw serviceError('source_not_eligible', { details: { source_ref: task_source } });
  }
  if (!found.isReadable(citation)) {
    throw invalidRequest([{ path: 'task_source', message: 'must exist in this Scope' }]);
  }
}
