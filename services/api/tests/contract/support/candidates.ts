import type { ArtifactRef, OperationSpec } from '@continuity/contract';
import { operationTable } from '@continuity/contract/operations';
import type { Client } from '@continuity/testing';
import { makeLineageSource } from './handoffs.ts';
import { changeRequest, exampleRequest, type Request, sendExample, sendRequest } from './requests.ts';

/** The Source that the examples of Candidates cite. */
export async function captureEvidence(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'capture_content_source', scope, { body: { source_id: 'ci/8841' } });
  return {};
}

/** A pending Experience Candidate. */
export async function proposeFirst(
  client: Client,
  scope: string,
): Promise<{ body: { candidate_id: string } }> {
  await captureEvidence(client, scope);
  const { candidate_id } = await sendExample(client, 'propose_experience', scope);
  return { body: { candidate_id: String(candidate_id) } };
}

/** A pending Skill Candidate. */
export async function proposeFirstSkill(
  client: Client,
  scope: string,
): Promise<{ body: { candidate_id: string } }> {
  await captureEvidence(client, scope);
  const { candidate_id } = await sendExample(client, 'propose_skill', scope);
  return { body: { candidate_id: String(candidate_id) } };
}

/** A Candidate that was decided, or of which another version was read. */
export async function decideFirst(client: Client, scope: string, how: 'approved' | 'revised') {
  const change = await proposeFirst(client, scope);
  const id = how === 'approved' ? 'approve_artifact_candidate' : 'revise_artifact_candidate';
  await sendExample(client, id, scope, change);
  return change;
}

/** A proposal under the key of another one. */
export async function proposeTwice(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  await captureEvidence(client, scope);
  const headers = { 'Idempotency-Key': 'used' };
  await sendRequest(client, operation, changeRequest(exampleRequest(operation, scope), { headers }));
  return { headers, body: { reason: 'Another reason.' } };
}

/** Evidence that names a target, which has moved since. */
export async function citeStaleTarget(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  await captureEvidence(client, scope);
  const family = operation.id === 'propose_experience' ? 'experience' : 'skill';
  const target = await createTarget(client, scope, family);
  const evidence = { artifact_refs: [target], target };
  if (operation.id.startsWith('propose_')) {
    await moveHead(client, scope, target);
    return { body: evidence };
  }
  const proposed = await sendExample(client, 'propose_skill', scope, { body: evidence });
  await moveHead(client, scope, target);
  const { candidate_id, proposal } = proposed;
  if (operation.id === 'approve_artifact_candidate') return { body: { candidate_id } };
  return { body: { candidate_id, proposal, ...evidence } };
}

/** Evidence that names a lineage-only Source. */
export async function citeLineage(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const change = operation.id.startsWith('propose_') ? {} : (await proposeFirst(client, scope)).body;
  return {
    body: {
      ...change,
      source_refs: [{ name: 'content', source_id: await makeLineageSource(client, scope) }],
    },
  };
}

async function createTarget(client: Client, scope: string, family: string): Promise<ArtifactRef> {
  const example = operationTable.create_artifact.examples.find(({ body }) => body.family === family);
  const { artifact_id } = await sendExample(client, 'create_artifact', scope, { body: { ...example?.body } });
  return { family, artifact_id: String(artifact_id), revision: 1 };
}

/** Writes the next revision of an Artifact. */
export async function moveHead(client: Client, scope: string, target: ArtifactRef): Promise<void> {
  const params = { scope_id: scope, family: target.family, artifact_id: target.artifact_id };
  const head = await sendRequest(client, operationTable.get_artifact, {
    params,
    query: {},
    headers: {},
    body: undefined,
  });
  const { content } = head.json as { content: object };
  const headers = { 'If-Match': head.headers.get('etag') ?? '' };
  const request = { params, query: {}, headers, body: { content } };
  const reply = await sendRequest(client, operationTable.replace_artifact, request);
  if (reply.status !== 200) throw new Error(`replace_artifact answered ${reply.status}: ${reply.text}`);
}
