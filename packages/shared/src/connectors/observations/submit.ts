import {
  canonicalJson,
  compareCodePoints,
  type Database,
  hashHex,
  type Issue,
  type JsonValue,
  refuse,
  ServiceError,
} from '@continuity/shared/kernel';
import { appendAlone, type FlushDelay, type NewSource, sourceConflict } from '../../sources/index.ts';
import { projectionId, type SourceDefinition } from '../definitions/definition.ts';
import type { KnownDefinitions } from '../definitions/known-definitions.ts';
import type { SchemaJudge } from '../schemas/judge.ts';
import type { NamedJson } from '../schemas/tasks.ts';
import type { SourceObservation } from '../shapes.ts';
import { envelopeIssues, hasTextEvidence } from './envelope-rules.ts';

/** What submitting works with. */
export interface Submitting {
  database: Database;
  definitions: KnownDefinitions;
  judge: SchemaJudge;
  flushDelay: FlushDelay | null;
}

/**
 * Stores an observation under its name, and answers its position. Equal again answers the first position and writes
 * nothing; anything different is 409 `source_conflict`. Throws 404 `source_definition_not_found`, 409
 * `source_definition_conflict`, 422 for what does not fit its definition.
 */
export async function submitObservation(
  { database, definitions, judge, flushDelay }: Submitting,
  tenantId: number,
  scopeId: string,
  observation: SourceObservation,
): Promise<number> {
  refuse(envelopeIssues(observation));
  const { source_type, definition_version, name } = observation;
  const definition = await definitions.require(tenantId, source_type, definition_version);
  checkFingerprint(observation, definition);
  refuse(keyIssues(observation, definition));
  refuse(await judge.issuesOfValues(tenantId, definition, valuesFor(observation, definition)));
  const appended = await appendAlone(database, toSource(tenantId, scopeId, observation), flushDelay);
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
  throw new ServiceError(
    'source_definition_conflict',
    'The definition is registered with another fingerprint.',
    {
      current_fingerprint: fingerprint,
    },
  );
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
function valuesFor({ payload, projections }: SourceObservation, definition: SourceDefinition): NamedJson[] {
  const byKey = new Map(projections.map(({ key, value }, index) => [projectionId(key), { value, index }]));
  const projected = definition.projections.flatMap((key) => byKey.get(projectionId(key)) ?? []);
  return [
    { path: 'observation.payload', json: JSON.stringify(payload) },
    ...projected.map(({ value, index }) => ({
      path: `observation.projections[${index}].value`,
      json: JSON.stringify(value),
    })),
  ];
}

function toSource(tenantId: number, scopeId: string, observation: SourceObservation): NewSource {
  const content = canonicalJson(observation.payload as JsonValue);
  const projections = observation.projections
    .map(({ key, value }) => ({ ...key, value: canonicalJson(value as JsonValue) }))
    .sort((left, right) => compareCodePoints(projectionId(left), projectionId(right)));
  return {
    tenantId,
    scopeId,
    sourceType: observation.source_type,
    sourceId: observation.name,
    content,
    contentDigest: Buffer.from(hashHex(content), 'hex'),
    metadata: null,
    eligible: hasTextEvidence(observation),
    record: null,
    observation: {
      // The payload repeats the other fields of the envelope, so that it stands for them.
      digest: Buffer.from(
        hashHex(canonicalJson([observation.definition_version, content, projections])),
        'hex',
      ),
      projections,
    },
  };
}
