import { z } from 'zod';
import { int, json, scopeId, sourceRef } from '../notation/shapes.ts';
import { defineOperation, KiB, MiB } from '../operations/operation.ts';
import { exampleConnector, exampleManifest, exampleObservation } from './examples.ts';
import {
  connectorBinding,
  connectorCheckpointState,
  sourceDefinitionManifest,
  sourceObservation,
} from './shapes.ts';

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
