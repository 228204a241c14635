import type { Issue, OperationInput } from '@continuity/contract';
import type { connectorOperations, SourceDefinitionManifest } from '@continuity/contract/connectors';
import { requireNoIssues } from '@continuity/kernel/errors';
import {
  asDigest,
  canonicalJson,
  canonicalJsonWithin,
  digestHex,
  type JsonValue,
} from '@continuity/kernel/json';
import { builtInSourceTypes, textEvidence } from '../../sources/bodies/index.ts';
import { type ProjectionKey, projectionId, type SourceDefinition, toDefinition } from '../definition.ts';

/** Limits of one schema (spec 10 §9, §11.8). */
const maxSchemaBytes = 65_536;
const maxSchemaDepth = 32;

/** Prefix of the names that the service reserves for itself. */
const reservedPrefix = 'service.';

/** Finds the issues of a manifest, apart from those inside its schemas. */
export function findManifestIssues(manifest: SourceDefinitionManifest): Issue[] {
  const { name, source_schema, projections, fingerprint } = manifest;
  const schemas = [
    ...findSchemaIssues('manifest.source_schema', source_schema as JsonValue),
    ...projections.flatMap(({ schema }, index) =>
      findSchemaIssues(`manifest.projections[${index}].schema`, schema as JsonValue),
    ),
  ];
  const actual = asDigest(digestHex(fingerprintedFields(manifest)));
  return [
    ...issueIf(
      (builtInSourceTypes as readonly string[]).includes(name),
      'manifest.name',
      'is a built-in type',
    ),
    ...issueIf(actual !== fingerprint, 'manifest.fingerprint', `must be ${actual} for this manifest`),
    ...projections.flatMap(({ key }, index) => findKeyIssues(`manifest.projections[${index}].key`, key)),
    ...findRepeatedKeys('manifest', projections),
    ...schemas,
  ];
}

/** Whether the service reserves the name. */
export function isReserved(name: string): boolean {
  return name.startsWith(reservedPrefix);
}

/** Finds the projections whose key an earlier projection has. */
export function findRepeatedKeys(path: string, projections: { key: ProjectionKey }[]): Issue[] {
  const ids = projections.map(({ key }) => projectionId(key));
  return ids.flatMap((id, index) =>
    issueIf(
      ids.indexOf(id) < index,
      `${path}.projections[${index}].key`,
      'repeats the key of an earlier projection',
    ),
  );
}

function findKeyIssues(path: string, key: ProjectionKey): Issue[] {
  const isStandard = projectionId(key) === projectionId(textEvidence);
  const message = `is not a standard projection; the only one is ${textEvidence.name}, version ${textEvidence.version}`;
  return issueIf(isReserved(key.name) && !isStandard, path, message);
}

function findSchemaIssues(path: string, schema: JsonValue): Issue[] {
  const depth = depthOf(schema);
  return [
    ...canonicalJsonWithin(path, schema, maxSchemaBytes).issues,
    ...issueIf(
      depth > maxSchemaDepth,
      path,
      `must be nested at most ${maxSchemaDepth} levels, and has ${depth}`,
    ),
  ];
}

/** Levels of nested arrays and objects; a scalar has none. */
function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);
}

function issueIf(isWrong: boolean, path: string, message: string): Issue[] {
  return isWrong ? [{ path, message }] : [];
}

/** The fields that the fingerprint of a manifest covers (spec 10 §9). */
function fingerprintedFields({
  name,
  version,
  source_schema,
  projections,
}: SourceDefinitionManifest): JsonValue {
  return { name, version, source_schema, projections } as JsonValue;
}

type RegisterBody = OperationInput<typeof connectorOperations.register_source_definition>['body'];

/** A manifest, as it is stored. */
export interface PreparedManifest extends Pick<SourceDefinitionManifest, 'name' | 'version' | 'fingerprint'> {
  /** Canonical JSON. */
  canonical: string;
  definition: SourceDefinition;
}

/** Prepares the body of `register_source_definition`. Throws 422 for issues outside of its schemas. */
export function prepareManifest({ manifest }: RegisterBody): PreparedManifest {
  requireNoIssues(findManifestIssues(manifest));
  const { name, version, fingerprint } = manifest;
  const definition = toDefinition(manifest);
  return { name, version, fingerprint, canonical: canonicalJson(manifest as JsonValue), definition };
}
