import { operationTable } from '@continuity/contract/operations';
import { asDigest, digestHex, type JsonValue } from '@continuity/kernel/json';
import type { Client } from '@continuity/testing';
import { exampleRequest, type Request, sendExample } from './requests.ts';

/** The manifest of the example, with another schema under its name and version. */
export async function registerOther(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'register_source_definition', scope);
  const { fingerprint: _old, ...rest } = exampleManifest(scope);
  const other = { ...rest, source_schema: { type: 'object', minProperties: 1 } };
  return { body: { manifest: { ...other, fingerprint: asDigest(digestHex(other as JsonValue)) } } };
}

/** The observation of the example, with some fields exchanged; its definition is registered first. */
export async function observeOther(
  client: Client,
  scope: string,
  change: Record<string, unknown>,
): Promise<Partial<Request>> {
  await sendExample(client, 'register_source_definition', scope);
  return { body: { observation: { ...exampleObservation(scope), ...change } } };
}

/** The observation of the example, with an unregistered type. */
export function observeUnknown(scope: string): Partial<Request> {
  const text = JSON.stringify(exampleObservation(scope)).replaceAll('git-file', 'nobodys');
  return { body: { observation: JSON.parse(text) as unknown } };
}

/** Different content under the name of the example's observation, which is stored. */
export async function observeTwice(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'register_source_definition', scope);
  await sendExample(client, 'submit_source_observation', scope);
  const text = JSON.stringify(exampleObservation(scope)).replaceAll('day 3', 'day 4');
  return { body: { observation: JSON.parse(text) as unknown } };
}

/** The binding of the examples as that of another version, after a commit. */
export async function bindOther(client: Client, scope: string): Promise<Partial<Request>> {
  const { binding } = await sendExample(client, 'commit_connector_checkpoint', scope);
  return { body: { binding: { ...(binding as object), connector_version: 'another' } } };
}

function exampleManifest(scope: string): Record<string, unknown> {
  return exampleRequest(operationTable.register_source_definition, scope).body?.['manifest'] as Record<
    string,
    unknown
  >;
}

function exampleObservation(scope: string): Record<string, unknown> {
  const { body } = exampleRequest(operationTable.submit_source_observation, scope);
  return body?.['observation'] as Record<string, unknown>;
}
