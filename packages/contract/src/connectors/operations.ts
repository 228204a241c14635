import { z } from 'zod';
import { digest, int, json, jsonObject, scopeId, sourceRef, text, trimmed } from '../notation/shapes.ts';
import { defineOperation, KiB, MiB } from '../operations/operation.ts';
import { exampleConnector, exampleManifest, exampleObservation } from './examples.ts';

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

const connectorTag = { tag: 'connectors', method: 'POST', auth: 'bearer', run: 'direct' } as const;

export const registerSourceDefinition = defineOperation({
  ...connectorTag,
  id: 'register_source_definition',
  path: '/v1/source-definitions/register',
  summary: 'Register a Source definition',
  description:
    'A name and version identify one immutable definition: an equal manifest is 200 again, a different one is 409. Schemas are ' +
    'JSON Schema 2020-12 without remote references. Patterns run on RE2, in linear time. `format` is an annotation.',
  bodyLimit: 4 * MiB,
  maxBodyValues: 100_000,
  body: z.strictObject({ manifest: sourceDefinitionManifest }),
  status: 200,
  response: sourceDefinitionManifest,
  errors: ['source_definition_conflict'],
  examples: [
    { summary: 'Files of a repository', body: { manifest: exampleManifest }, response: exampleManifest },
  ],
});

export const submitSourceObservation = defineOperation({
  ...connectorTag,
  id: 'submit_source_observation',
  path: '/v1/source-observations',
  summary: 'Submit an observation of a connector',
  description:
    'Stores a Source of a registered type. The response confirms that it is durable; commit a checkpoint past it only then. An ' +
    'equal observation with the same name gets the first response again, a different one is 409. Extraction reads the ' +
    'projection `service.builtin.text-evidence` and skips an observation without it.',
  bodyLimit: 8 * MiB,
  maxBodyValues: 100_000,
  body: z.strictObject({ scope_id: scopeId, observation: sourceObservation }),
  status: 202,
  response: z.strictObject({ source: sourceRef, position: int(1) }),
  errors: ['source_definition_not_found', 'source_conflict', 'source_definition_conflict'],
  examples: [
    {
      summary: 'A file at one commit',
      body: { scope_id: exampleConnector.scope_id, observation: exampleObservation },
      response: { source: { name: exampleManifest.name, source_id: exampleObservation.name }, position: 4 },
    },
  ],
});

export const getConnectorCheckpoint = defineOperation({
  ...connectorTag,
  id: 'get_connector_checkpoint',
  path: '/v1/connector-checkpoints/get',
  summary: 'Get the checkpoint of a connector',
  description: '`checkpoint` is null if none was committed. The request never writes.',
  body: z.strictObject({ binding: connectorBinding }),
  status: 200,
  response: connectorCheckpointState,
  errors: ['checkpoint_conflict'],
  examples: [
    {
      summary: 'Before the first run',
      body: { binding: exampleConnector },
      response: { binding: exampleConnector, checkpoint: null },
    },
  ],
});

export const commitConnectorCheckpoint = defineOperation({
  ...connectorTag,
  id: 'commit_connector_checkpoint',
  isUnsafeToRepeat: true,
  path: '/v1/connector-checkpoints/commit',
  summary: 'Commit the checkpoint of a connector',
  description:
    'Replaces the checkpoint if the stored one equals `expected` as canonical JSON (null: none was committed). Of several ' +
    'concurrent commits with one `expected` value, exactly one succeeds. The service does not interpret checkpoints.',
  bodyLimit: 512 * KiB,
  maxBodyValues: 100_000,
  body: z.strictObject({ binding: connectorBinding, expected: json, checkpoint: json }),
  status: 200,
  response: connectorCheckpointState,
  errors: ['checkpoint_conflict'],
  examples: [
    {
      summary: 'After the first run',
      body: { binding: exampleConnector, expected: null, checkpoint: { commit: '4f1c2a' } },
      response: { binding: exampleConnector, checkpoint: { commit: '4f1c2a' } },
    },
  ],
});

export const connectorOperations = {
  register_source_definition: registerSourceDefinition,
  submit_source_observation: submitSourceObservation,
  get_connector_checkpoint: getConnectorCheckpoint,
  commit_connector_checkpoint: commitConnectorCheckpoint,
};
