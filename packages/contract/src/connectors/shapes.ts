import { z } from 'zod';
import { digest, json, jsonObject, scopeId, text, trimmed } from '../notation/shapes.ts';

/** Limit of the projections of a definition and of an observation (spec 10 §9). */
const maxProjections = 16;

/** A projection key in a definition: without white space at either end. */
const definedKey = z.strictObject({ name: trimmed(1, 128), version: trimmed(1, 128) });

const projectionKey = z
  .strictObject({ name: text(1, 128), version: text(1, 128) })
  .meta({ id: 'ProjectionKey' });

export const sourceDefinitionManifest = z
  .strictObject({
    name: trimmed(1, 128),
    version: trimmed(1, 128),
    fingerprint: digest,
    source_schema: jsonObject,
    projections: z.array(z.strictObject({ key: definedKey, schema: jsonObject })).max(maxProjections),
  })
  .meta({
    id: 'SourceDefinitionManifest',
    description:
      'The definition of a Source type of a connector. `fingerprint` is the SHA-256 of the canonical JSON of the other fields.',
  });

export const sourceObservation = z
  .strictObject({
    name: text(1, 256),
    definition_version: text(1, 128),
    materialization: z.enum(['captured']),
    description: z.string().nullish(),
    source_type: text(1, 128),
    definition_fingerprint: digest,
    payload: jsonObject,
    projections: z.array(z.strictObject({ key: projectionKey, value: json })).max(maxProjections),
  })
  .meta({
    id: 'SourceObservation',
    description:
      '`name` identifies this one observation, not the observed object. A new value of the object needs a new name.',
  });

export const connectorBinding = z
  .strictObject({
    scope_id: scopeId,
    binding_id: text(1, 256),
    connector_name: text(1, 128),
    connector_version: text(1, 128),
  })
  .meta({ id: 'ConnectorBinding' });

export const connectorCheckpointState = z
  .strictObject({ binding: connectorBinding, checkpoint: json })
  .meta({ id: 'ConnectorCheckpointState' });

export type SourceDefinitionManifest = z.infer<typeof sourceDefinitionManifest>;
export type SourceObservation = z.infer<typeof sourceObservation>;
export type ConnectorBinding = z.infer<typeof connectorBinding>;
