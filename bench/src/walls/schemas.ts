import { asDigest, digestHex, type JsonObject, type JsonValue } from '@continuity/kernel/json';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { attackWith, type Wall } from './wall.ts';

const textEvidence = { name: 'service.builtin.text-evidence', version: '1' };

/** A small valid schema that an evaluator applies 2^40 times. */
function explosiveSchema(): JsonObject {
  const steps = Array.from({ length: 40 }, (_, index) => {
    const next = { $ref: `#/$defs/step${index + 1}` };
    return [`step${index}`, { anyOf: [{ allOf: [next, false] }, next] }];
  });
  return { $ref: '#/$defs/step0', $defs: { ...Object.fromEntries(steps), step40: false } };
}

function manifestOf(name: string, source_schema: JsonObject) {
  const manifest = {
    name,
    version: '1',
    source_schema,
    projections: [{ key: textEvidence, schema: {} }],
  };
  return { ...manifest, fingerprint: asDigest(digestHex(manifest as unknown as JsonValue)) };
}

function observationRequest(
  token: string,
  manifest: ReturnType<typeof manifestOf>,
  name: string,
): HttpRequest {
  const envelope = { name, definition_version: '1', materialization: 'captured', description: null };
  const value = { source_type: manifest.name, source_id: name, content: 'Seen.', metadata: {} };
  const observation = {
    ...envelope,
    source_type: manifest.name,
    definition_fingerprint: manifest.fingerprint,
    payload: { ...envelope, text: 'Seen.' },
    projections: [{ key: textEvidence, value }],
  };
  return { token, path: '/v1/source-observations', body: { scope_id: 'observed', observation } };
}

/** Two tenants that submit observations of expensive schemas. The light tenant submits trivial ones. */
export async function schemas(
  url: string,
  load: HttpLoad,
  hostile: string[],
  light: string,
  lightRequests: number,
): Promise<Wall> {
  const trivial = manifestOf('trivial', { type: 'object' });
  const explosive = manifestOf('explosive', explosiveSchema());
  const registrations = [
    ...hostile.map((token) => ({ token, manifest: explosive })),
    { token: light, manifest: trivial },
  ];
  const requests = registrations.map(({ token, manifest }) => ({
    token,
    path: '/v1/source-definitions/register',
    body: { manifest },
  }));
  await send(load, [url], requests, { connections: 1 });
  const names = (count: number) => Array.from({ length: count }, (_, index) => `observation ${index}`);
  return {
    name: 'schemas',
    light: names(lightRequests).map((name) => observationRequest(light, trivial, name)),
    bars: { worstMs: 2_000 },
    mayRefuse: true,
    attack: (ms) => {
      const attacks = names(100).flatMap((name) =>
        hostile.map((token) => observationRequest(token, explosive, name)),
      );
      return attackWith(url, attacks, 8, ms);
    },
  };
}
