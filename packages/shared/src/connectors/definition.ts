import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import { canonicalJson } from '@continuity/kernel/json';

export interface ProjectionKey {
  name: string;
  version: string;
}

/** Returns the key as a string for maps. */
export function projectionId({ name, version }: ProjectionKey): string {
  return canonicalJson([name, version]);
}

/** A registered Source definition, in the form that validates observations. */
export interface SourceDefinition {
  /** The contract's `digest` form. */
  fingerprint: string;
  projections: ProjectionKey[];
  /** Schemas as JSON: the schema of the payload, then those of the projections in their order. */
  schemas: string[];
}

/** Converts a manifest to the form that validates observations. */
export function toDefinition({
  fingerprint,
  source_schema,
  projections,
}: Pick<SourceDefinitionManifest, 'fingerprint' | 'source_schema' | 'projections'>): SourceDefinition {
  return {
    fingerprint,
    projections: projections.map(({ key }) => key),
    schemas: [source_schema, ...projections.map(({ schema }) => schema)].map((schema) =>
      JSON.stringify(schema),
    ),
  };
}
