import type { ArtifactRef, OperationSpec } from '@continuity/contract';
import type { Client } from '@continuity/testing';
import { moveHead } from './candidates.ts';
import { makeLineageSource } from './handoffs.ts';
import { type Request, sendExample } from './requests.ts';
import { createDocument } from './skills.ts';

/** Whether an operation generates Candidates. */
export function isGeneration({ id }: OperationSpec): boolean {
  return id.startsWith('generate_');
}

/** The Source that the examples of generation name. */
export async function captureNotes(client: Client, scope: string): Promise<Partial<Request>> {
  const body = {
    source_id: 'task-1',
    content: 'The contract tests passed. Always generate the client first.',
  };
  await sendExample(client, 'capture_content_source', scope, { body });
  return {};
}

/** Evidence that is lineage only. */
export async function generateFromLineage(client: Client, scope: string): Promise<Partial<Request>> {
  const source_id = await makeLineageSource(client, scope);
  return { body: { source_refs: [{ name: 'content', source_id }] } };
}

/** A target that has moved since. */
export async function generateOntoStale(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const target = await createTarget(client, scope, operation);
  await moveHead(client, scope, target);
  return { body: evidenceOf(operation, target) };
}

/** A target that is retired. */
export async function generateOntoRetired(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const target = await createTarget(client, scope, operation);
  const { artifact_id } = target;
  await sendExample(client, 'update_skill_lifecycle', scope, {
    body: { artifact_id, lifecycle_state: 'retired' },
  });
  return { body: evidenceOf(operation, target) };
}

async function createTarget(client: Client, scope: string, { id }: OperationSpec): Promise<ArtifactRef> {
  await captureNotes(client, scope);
  return createDocument(client, scope, id === 'generate_experience' ? 'experience' : 'skill');
}

function evidenceOf({ id }: OperationSpec, target: ArtifactRef): Record<string, unknown> {
  const origin = id === 'generate_skill' ? { origin: 'usage' } : {};
  return { ...origin, artifact_refs: [target], target };
}
