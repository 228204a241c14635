import type { Issue } from '@continuity/contract';
import type { SourceObservation } from '@continuity/contract/connectors';
import {
  canonicalJson,
  compareCodePoints,
  type Database,
  hashHex,
  refuse,
  serviceError,
  type TenantId,
} from '@continuity/shared/kernel';
import { appendAlone, type FlushDelay, type NewSource, sourceConflict } from '../../sources/index.ts';
import { projectionId, type SourceDefinition } from '../definitions/definition.ts';
import type { DefinitionCache } from '../definitions/definition-cache.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import type { NamedJson } from '../schemas/tasks.ts';
import { envelopeIssues, hasTextEvidence } from './envelope-rules.ts';
import { type WrittenObservation, writeObservation } from './written.ts';

/** What submitting works with. */
export interface Submitting {
  database: Database;
  definitions: DefinitionCache;
  schemaValidator: SchemaValidator;
  flushDelay: FlushDelay | null;
}

/**
 * Stores an observation under its name, and answers its position. Equal again answers the first position and writes
 * nothing; anything different is 409 `source_conflict`. Throws 404 `source_definition_not_found`, 409
 * `source_definition_conflict`, 422 for what does not fit its definition.
 */
export async function submitObservation(
  { database, definitions, schemaValidator, flushDelay }: Submitting,
  tenantId: TenantId,
  scopeId: string,
  observation: SourceObservation,
): Promise<number> {
  const written = writeObservation(observation);
  refuse(envelopeIssues(observation, written));
  const { source_type, definition_version, name } = observation;
  const definition = await definitions.require(tenantId, source_type, definition_version);
  checkFingerprint(observation, definition);
  refuse(keyIssues(observation, definition));
  refuse(
    await schemaValidator.validateValues(tenantId, definition, valuesFor(observation, written, definition)),
  );
  const appended = await appendAlone(database, toSource(tenantId, scopeId, observation, written), flushDelay);
  if (appended.outcome === 'exists' && !appended.source.isEqual) {
    throw sourceConflict({ name: source_type, source_id: name }, appended.source);
  }
  return appended.source.position;
}

function checkFingerprint(
  { definition_fingerprint }: SourceObservation,
  { fingerprint }: SourceDefinition,
): void {
  if (definition_fingerprint === fingerprint) return;
  throw serviceError('source_definition_conflict', {
    message: 'The definition has another fingerprint. Send the one in details, or register a new version.',
    details: { current_fingerprint: fingerprint },
  });
}

/** The projections have to be those of the definition, in any order. */
function keyIssues({ projections }: SourceObservation, definition: SourceDefinition): Issue[] {
  const expected = new Set(definition.projections.map(projectionId));
  const given = new Set(projections.map(({ key }) => projectionId(key)));
  const missing = definition.projections.filter((key) => !given.has(projectionId(key)));
  return [
    ...projections.flatMap(({ key }, index) =>
      expected.has(projectionId(key))
        ? []
        : [{ path: `observation.projections[${index}].key`, message: 'is no projection of this definition' }],
    ),
    ...missing.map(({ name, version }) => ({
      path: 'observation.projections',
      message: `lacks the projection ${JSON.stringify(name)} version ${JSON.stringify(version)}`,
    })),
  ];
}

/** In the order of the definition's schemas. */
function valuesFor(
  { projections }: SourceObservation,
  { payload, values }: WrittenObservation,
  definition: SourceDefinition,
): NamedJson[] {
  const places = new Map(projections.map(({ key }, index) => [projectionId(key), index]));
  const projected = definition.projections.flatMap((key) => places.get(projectionId(key)) ?? []);
  return [
    { path: 'observation.payload', json: payload },
    ...projected.map((index) => ({
      path: `observation.projections[${index}].value`,
      json: values[index] ?? '',
    })),
  ];
}

function toSource(
  tenantId: TenantId,
  scopeId: string,
  observation: SourceObservation,
  { payload, values }: WrittenObservation,
): NewSource {
  const projections = observation.projections
    .map(({ key }, index) => ({ ...key, value: values[index] ?? '' }))
    .sort((left, right) => compareCodePoints(projectionId(left), projectionId(right)));
  // The payload repeats the rest of the envelope, so that it stands for it.
  const whole = canonicalJson([observation.definition_version, payload, projections]);
  return {
    tenantId,
    scopeId,
    sourceType: observation.source_type,
    sourceId: observation.name,
    content: payload,
    contentDigest: Buffer.from(hashHex(payload), 'hex'),
    metadata: null,
    eligible: hasTextEvidence(observation),
    record: null,
    observation: { digest: Buffer.from(hashHex(whole), 'hex'), projections },
  };
}
