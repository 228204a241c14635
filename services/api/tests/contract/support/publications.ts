import { operationTable } from '@continuity/contract/operations';
import type { Client } from '@continuity/testing';
import { commitFirst } from './handoffs.ts';
import { changeRequest, exampleRequest, type Request, sendExample, sendRequest } from './requests.ts';

const family = 'experience';

/** An Experience, another existing Scope, and the publication of the Experience into that Scope. */
export async function preparePublication(client: Client, scope: string): Promise<{ body: Publication }> {
  const content = { situation: 'Stale.', action: 'Regenerated.', outcome: 'Green.', lesson: 'Regenerate.' };
  const { artifact_id } = await sendExample(client, 'create_artifact', scope, { body: { family, content } });
  const target = `${scope}:target`;
  await sendExample(client, 'capture_content_source', target);
  return { body: publicationOf(scope, target, { family, artifact_id, revision: 1 }) };
}

/** As `preparePublication`, with the key used up for another source. */
export async function useKey(client: Client, scope: string): Promise<Partial<Request>> {
  const { body } = await preparePublication(client, scope);
  const operation = operationTable.publish_artifact;
  await sendRequest(client, operation, changeRequest(exampleRequest(operation, scope), { body }));
  return { body: publicationOf(scope, body.target_scope_id, { ...body.source.artifact, revision: 2 }) };
}

/** The publication of a Handoff into a Scope that has one. */
export async function publishOntoHandoff(client: Client, scope: string): Promise<Partial<Request>> {
  const target = `${scope}:target`;
  for (const place of [scope, target]) await commitFirst(client, place);
  return { body: publicationOf(scope, target, { family: 'handoff', artifact_id: 'handoff', revision: 1 }) };
}

type Publication = ReturnType<typeof publicationOf>;

function publicationOf(scope_id: string, target_scope_id: string, artifact: Record<string, unknown>) {
  return { source: { scope_id, artifact }, target_scope_id, idempotency_key: scope_id };
}
