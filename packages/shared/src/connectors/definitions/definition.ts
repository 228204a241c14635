import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import { canonicalJson, type JsonObject, type JsonValue } from '@continuity/shared/kernel';

export interface ProjectionKey {
  name: string;
  version: string;
}

/** A registered type of Source, as observations are held against it. */
export interface SourceDefinition {
  /** The contract's `digest` form. */
  fingerprint: string;
  projections: ProjectionKey[];
  /** Canonical JSON: that of the payload, then those of the projections in their order. */
  schemas: string[];
}

export function definitionOf({
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

/** Equal for equal keys, and only for them. */
export function projectionId({ name, version }: ProjectionKey): string {
  return canonicalJson([name, version]);
}

/** The manifest without its fingerprint: what the fingerprint is taken over (spec 10 §9). */
export function fingerprinted({
  name,
  version,
  source_schema,
  projections,
}: SourceDefinitionManifest): JsonValue {
  return { name, version, source_schema, projections } as JsonValue;
}
