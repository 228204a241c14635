import type { Issue } from '@continuity/contract';
import type { Database, TenantId } from '@continuity/kernel/database';
import { requireNoIssues, serviceError } from '@continuity/kernel/errors';
import { appendAlone, type FlushDelay, type NewSource, sourceConflict } from '../../sources/index.ts';
import { type PreparedObservation, projectionId } from '../bodies/index.ts';
import type { SourceDefinition } from '../definition.ts';
import type { DefinitionCache } from '../definitions.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import type { NamedJson } from '../schemas/validation-thread.ts';

/** Dependencies of `submitObservation`. */
interface SubmitDeps {
  database: Database;
  definitions: DefinitionCache;
  schemaValidator: SchemaValidator;
  flushDelay: FlushDelay | null;
}

/**
 * Stores an observation under its name and returns its position. Idempotent: an equal repeat writes nothing and returns the
 * first position. Throws 409 `source_conflict` for a different observation, 404 `source_definition_not_found`, 409
 * `source_definition_conflict`, and 422 for an observation that does not satisfy its definition.
 */
export async function submitObservation(
  { database, definitions, schemaValidator, flushDelay }: SubmitDeps,
  tenantId: TenantId,
  scopeId: string,
  observation: PreparedObservation,
): Promise<number> {
  const { source_type, definition_version, name } = observation;
  const definition = await definitions.require(tenantId, source_type, definition_version);
  checkFingerprint(observation, definition);
  requireNoIssues(findKeyIssues(observation, definition));
  requireNoIssues(
    await schemaValidator.validateValues(tenantId, definition, valuesFor(observation, definition)),
  );
  const appended = await appendAlone(database, toSource(tenantId, scopeId, observation), flushDelay);
  if (appended.outcome === 'exists' && !appended.source.isEqual) {
    throw sourceConflict({ name: source_type, source_id: name }, appended.source);
  }
  return appended.source.position;
}

function checkFingerprint(
  { definition_fingerprint }: PreparedObservation,
  { fingerprint }: SourceDefinition,
): void {
  if (definition_fingerprint === fingerprint) return;
  throw serviceError('source_definition_conflict', {
    message: 'The definition has another fingerprint. Send the one in details, or register a new version.',
    details: { current_fingerprint: fingerprint },
  });
}

/** Validates that the projections are those of the definition, in any order. */
function findKeyIssues({ projections }: PreparedObservation, definition: SourceDefinition): Issue[] {
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

/** Lists the values to validate, in the order of the schemas of the definition. */
function valuesFor({ payload, projections }: PreparedObservation, definition: SourceDefinition): NamedJson[] {
  const places = new Map(projections.map(({ key }, index) => [projectionId(key), index]));
  const projected = definition.projections.flatMap((key) => places.get(projectionId(key)) ?? []);
  return [
    { path: 'observation.payload', json: payload.canonical },
    ...projected.map((index) => ({
      path: `observation.projections[${index}].value`,
      json: projections[index]?.value ?? '',
    })),
  ];
}

function toSource(
  tenantId: TenantId,
  scopeId: string,
  { name, source_type, payload, projections, digest, isEvidence }: PreparedObservation,
): NewSource {
  return {
    tenantId,
    scopeId,
    sourceType: source_type,
    sourceId: name,
    content: payload.canonical,
    contentDigest: Buffer.from(payload.digest, 'hex'),
    metadata: null,
    eligible: isEvidence,
    record: null,
    observation: {
      digest: Buffer.from(digest, 'hex'),
      projections: projections.map(({ key, value }) => ({ ...key, value })),
    },
  };
}
