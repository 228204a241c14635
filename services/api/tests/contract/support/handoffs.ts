import type { OperationSpec } from '@continuity/contract';
import { operationTable } from '@continuity/contract/operations';
import type { Client } from '@continuity/testing';
import { exampleRequest, type Request, sendExample, sendRequest } from './requests.ts';

/** The Source that the examples of the Handoff and Work operations cite. */
const citedSource = 'test-output-41';

/** Captures what those examples cite. */
export async function captureCited(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'capture_content_source', scope, { body: { source_id: citedSource } });
  return {};
}

/** Commits the example's Handoff as revision one. */
export async function commitFirst(client: Client, scope: string): Promise<Partial<Request>> {
  await captureCited(client, scope);
  await sendExample(client, 'commit_handoff', scope);
  return {};
}

/** The request of an operation that writes a Handoff or a record, in which everything cites the Source `id`. */
export async function citeInstead(
  client: Client,
  scope: string,
  operation: OperationSpec,
  id: string,
): Promise<Partial<Request>> {
  const request = await withCitations(client, scope, operation);
  return JSON.parse(JSON.stringify(request).replaceAll(citedSource, id)) as Partial<Request>;
}

/** The system Source of a new Memory: lineage, and no evidence. */
export async function makeLineageSource(client: Client, scope: string): Promise<string> {
  const headers = { 'Idempotency-Key': 'lineage' };
  const created = await sendExample(client, 'create_artifact', scope, { headers });
  const [source] = created['sources'] as { source_id: string }[];
  return source?.source_id ?? '';
}

/** A body with content that cites evidence; for a Replace also the path and ETag of a stored Handoff. */
async function withCitations(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const content = exampleContent(scope);
  if (operation.id === 'create_artifact') return { body: { family: 'handoff', content } };
  if (operation.id !== 'replace_artifact') return { body: exampleRequest(operation, scope).body ?? {} };
  await commitFirst(client, scope);
  const params = { family: 'handoff', artifact_id: 'handoff' };
  const path = exampleRequest(operationTable.get_artifact, scope);
  const head = await sendRequest(client, operationTable.get_artifact, {
    ...path,
    params: { ...path.params, ...params },
  });
  return { params, headers: { 'If-Match': head.headers.get('etag') ?? '' }, body: { content } };
}

export function exampleContent(scope: string): unknown {
  const { body } = exampleRequest(operationTable.commit_handoff, scope);
  return (body as { handoff: { content: unknown } }).handoff.content;
}
