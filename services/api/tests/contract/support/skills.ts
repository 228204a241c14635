import type { ArtifactRef, OperationSpec } from '@continuity/contract';
import { operationTable } from '@continuity/contract/operations';
import type { Client } from '@continuity/testing';
import { captureEvidence, citeStaleTarget } from './candidates.ts';
import { makeLineageSource } from './handoffs.ts';
import { changeRequest, exampleRequest, type Request, sendExample, sendRequest } from './requests.ts';

/** Creates an Experience or a Skill as an example of `create_artifact` does, with some fields exchanged. */
export async function createDocument(
  client: Client,
  scope: string,
  family: 'experience' | 'skill',
  fields: Record<string, unknown> = {},
): Promise<ArtifactRef> {
  const example = operationTable.create_artifact.examples.find(({ body }) => body.family === family);
  const { artifact_id } = await sendExample(client, 'create_artifact', scope, {
    headers: { 'Idempotency-Key': `${family}-of-${scope}` },
    body: { family, content: { ...example?.body.content, ...fields } },
  });
  return { family, artifact_id: String(artifact_id), revision: 1 };
}

/** Names a new Experience. */
export async function nameExperience(client: Client, scope: string): Promise<Partial<Request>> {
  return { body: { artifact: await createDocument(client, scope, 'experience') } };
}

/** Names a new Skill. */
export async function nameSkill(client: Client, scope: string): Promise<Partial<Request>> {
  return { body: { artifact: await createDocument(client, scope, 'skill') } };
}

/** Names a new Skill by its id alone. */
export async function nameSkillById(client: Client, scope: string): Promise<Partial<Request>> {
  const { artifact_id } = await createDocument(client, scope, 'skill');
  return { body: { artifact_id } };
}

/** An observation of a new Skill. */
export async function observeSkill(client: Client, scope: string): Promise<Partial<Request>> {
  const skill_ref = await createDocument(client, scope, 'skill');
  const { content } = await sendExample(client, 'get_skill', scope, { body: { artifact: skill_ref } });
  const { package: ref } = content as { package: { tree_digest: string } };
  return { body: { skill_ref, package_digest: `sha256:${ref.tree_digest}` } };
}

/** The second one of two observations with one id. */
export async function observeSkillTwice(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const { body } = await observeSkill(client, scope);
  await sendRequest(client, operation, changeRequest(exampleRequest(operation, scope), { body }));
  return { body: { ...body, outcome: 'failure' } };
}

/** An observation of a task that is a lineage-only Source. */
export async function observeLineage(client: Client, scope: string): Promise<Partial<Request>> {
  const { body } = await observeSkill(client, scope);
  const task_source = { name: 'content', source_id: await makeLineageSource(client, scope) };
  return { body: { ...body, task_source } };
}

/** The request of a proposal, an approval or a revision for a target. Creates the Candidate that a decision needs. */
async function proposeOnto(
  client: Client,
  scope: string,
  operation: OperationSpec,
  target: ArtifactRef,
): Promise<Record<string, unknown>> {
  await captureEvidence(client, scope);
  const evidence = { artifact_refs: [target], target };
  if (operation.id === 'propose_skill') return evidence;
  const { candidate_id, proposal } = await sendExample(client, 'propose_skill', scope, { body: evidence });
  return operation.id === 'revise_artifact_candidate'
    ? { candidate_id, proposal, ...evidence }
    : { candidate_id };
}

/** An upload onto a Skill that has moved since. */
export async function uploadOntoStale(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const { body } = await citeStaleTarget(client, scope, operation);
  return { body: { target: body?.['target'] } };
}

/** A request that needs a Skill which is not retired, with a retired one. */
export async function useRetired(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const skill = await createDocument(client, scope, 'skill');
  const { family, artifact_id } = skill;
  const candidate = operation.tag === 'review' ? await proposeOnto(client, scope, operation, skill) : {};
  await sendExample(client, 'update_skill_lifecycle', scope, {
    body: { artifact_id, lifecycle_state: 'retired' },
  });
  if (operation.tag === 'review') return { body: candidate };
  if (operation.id === 'propose_skill_package') return { body: { target: skill } };
  if (operation.id === 'publish_artifact') {
    const target_scope_id = `${scope}:target`;
    await sendExample(client, 'capture_content_source', target_scope_id);
    return { body: { source: { scope_id: scope, artifact: skill }, target_scope_id } };
  }
  if (operation.id !== 'replace_artifact') return { body: { artifact_id } };
  const params = { scope_id: scope, family, artifact_id };
  const head = await sendRequest(client, operationTable.get_artifact, {
    params,
    query: {},
    headers: {},
    body: undefined,
  });
  const { content } = head.json as { content: object };
  return { params, headers: { 'If-Match': head.headers.get('etag') ?? '' }, body: { content } };
}
