import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import { canonicalJson, type JsonObject, type JsonValue } from '@continuity/shared/kernel';

export interface ProjectionKey {
  name: string;
  version: string;
}

/** A registered Source definition, in the form that validates observations. */
export interface SourceDefinition {
  /** The contract's `digest` form. */
  fingerprint: string;
  projections: ProjectionKey[];
  /** Schemas as canonical JSON: the schema of the payload, then those of the projections in their order. */
  schemas: string[];
}

/** Converts a manifest to the form that validates observations. */
export function toDefinition({
  fingerprint,
  source_schema,
  projections,
}: SourceDefinitionManifest): SourceDefinition {
  return {
    fingerprint,
    projections: projections.map(({ key }) => key),
    schemas: [source_schema, ...projections.map(({ schema }) => schema)].map((schema) =>
      canonicalJson(schema as JsonObject),
    ),
  };
}

/** A string that is equal for equal keys only. */
export function projectionId({ name, version }: ProjectionKey): string {
  return canonicalJson([name, version]);
}

/** The fields that the fingerprint of a manifest covers (spec 10 §9). */
export function fingerprintedFields({
  name,
  version,
  source_schema,
  projections,
}: SourceDefinitionManifest): JsonValue {
  return { name, version, source_schema, projections } as JsonValue;
}
