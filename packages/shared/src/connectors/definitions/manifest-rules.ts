import type { Issue } from '@continuity/contract';
import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import {
  asDigest,
  canonicalJsonWithin,
  digestHex,
  type JsonValue,
  tooManyBytes,
} from '@continuity/shared/kernel';
import { builtInSourceTypes, textEvidence } from '../../sources/index.ts';
import { fingerprinted, type ProjectionKey, projectionId } from './definition.ts';

/** Bounds of one schema (spec 10 §9, §11.8). */
const maxSchemaBytes = 65_536;
const maxSchemaDepth = 32;

/** Names that begin with this are the service's own. */
const reserved = 'service.';

/** Everything in a manifest that is wrong whatever its schemas say. */
export function manifestIssues(manifest: SourceDefinitionManifest): Issue[] {
  const { name, source_schema, projections, fingerprint } = manifest;
  const schemas = [
    ...schemaIssues('manifest.source_schema', source_schema as JsonValue),
    ...projections.flatMap(({ schema }, index) =>
      schemaIssues(`manifest.projections[${index}].schema`, schema as JsonValue),
    ),
  ];
  const own = asDigest(digestHex(fingerprinted(manifest)));
  return [
    ...issueIf(
      (builtInSourceTypes as readonly string[]).includes(name),
      'manifest.name',
      'is a built-in type',
    ),
    ...issueIf(own !== fingerprint, 'manifest.fingerprint', `is not that of this manifest, which is ${own}`),
    ...projections.flatMap(({ key }, index) => keyIssues(`manifest.projections[${index}].key`, key)),
    ...repeatedKeys('manifest', projections),
    ...schemas,
  ];
}

/** True for a name that no definition may have. */
export function isReserved(name: string): boolean {
  return name.startsWith(reserved);
}

/** Keys of projections that are there before: their order says nothing, so each stands once. */
export function repeatedKeys(path: string, projections: { key: ProjectionKey }[]): Issue[] {
  const ids = projections.map(({ key }) => projectionId(key));
  return ids.flatMap((id, index) =>
    issueIf(ids.indexOf(id) < index, `${path}.projections[${index}].key`, 'is there twice'),
  );
}

function keyIssues(path: string, key: ProjectionKey): Issue[] {
  const isStandard = projectionId(key) === projectionId(textEvidence);
  const message = `is no standard projection: the one there is is ${textEvidence.name}, version ${textEvidence.version}`;
  return issueIf(isReserved(key.name) && !isStandard, path, message);
}

function schemaIssues(path: string, schema: JsonValue): Issue[] {
  const fits = canonicalJsonWithin(schema, maxSchemaBytes) !== undefined;
  return [
    ...(fits ? [] : [tooManyBytes(path, maxSchemaBytes)]),
    ...issueIf(depthOf(schema) > maxSchemaDepth, path, `must be nested at most ${maxSchemaDepth} levels`),
  ];
}

/** Levels of a value, itself being the first; scalars are none. */
function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);
}

function issueIf(isWrong: boolean, path: string, message: string): Issue[] {
  return isWrong ? [{ path, message }] : [];
}
