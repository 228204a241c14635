import { asDigest, digestHex, type JsonObject, type JsonValue } from '@continuity/kernel/json';
import type { Client } from '@continuity/testing';
import { freshScope } from './memory.ts';

export const textEvidence = { name: 'service.builtin.text-evidence', version: '1' };

export interface Projection {
  key: { name: string; version: string };
  schema: JsonObject;
}

export interface Manifest {
  name: string;
  version: string;
  fingerprint: string;
  source_schema: JsonObject;
  projections: Projection[];
}

/** Builds a manifest with its fingerprint. Its default name is new. */
export function manifest(parts: Partial<Manifest> = {}): Manifest {
  const {
    name = freshScope('type'),
    version = '1',
    source_schema = { type: 'object' },
    projections = [{ key: textEvidence, schema: {} }],
  } = parts;
  const named = { name, version, source_schema, projections };
  return { ...named, fingerprint: asDigest(digestHex(named as unknown as JsonValue)) };
}

/** Sends a registration, valid or not. */
export function register(client: Client, body: Manifest | object) {
  return client.send('POST', '/v1/source-definitions/register', { manifest: body });
}

/** Registers a manifest. Throws if the service refuses it. */
export async function registered(client: Client, parts: Partial<Manifest> = {}): Promise<Manifest> {
  const made = manifest(parts);
  const { status, text } = await register(client, made);
  if (status !== 200) throw new Error(`The service refused a manifest: ${text}`);
  return made;
}

export type Observation = ReturnType<typeof observation>;

/** Builds an observation of a text with its text evidence. The payload includes `extra`. */
export function observation(of: Manifest, name: string, content = 'Seen outside.', extra: JsonObject = {}) {
  const envelope = { name, definition_version: of.version, materialization: 'captured', description: null };
  return {
    ...envelope,
    description: null as string | null,
    source_type: of.name,
    definition_fingerprint: of.fingerprint,
    payload: { ...envelope, text: content, ...extra } as JsonObject,
    projections: [
      {
        key: textEvidence,
        value: { source_type: of.name, source_id: name, content, metadata: {} } as JsonValue,
      },
    ],
  };
}

/** Sends an observation, valid or not. */
export function submit(client: Client, scope_id: string, sent: Observation | object) {
  return client.send('POST', '/v1/source-observations', { scope_id, observation: sent });
}

/** Submits an observation and returns its position. Throws if the service refuses it. */
export async function submitted(client: Client, scope_id: string, sent: Observation): Promise<number> {
  const { status, json, text } = await submit(client, scope_id, sent);
  if (status !== 202) throw new Error(`The service refused an observation: ${text}`);
  return (json as { position: number }).position;
}
