import { z } from 'zod';
import { int, json, scopeId, sourceRef } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
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
  summary: 'Register a type of Source',
  description:
    'Immutable under its name and version: equal again is 200, anything else is 409. Schemas are JSON Schema 2020-12 ' +
    'without remote references, with patterns that run in linear time (RE2); `format` is an annotation.',
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
  summary: 'Submit what a connector has seen',
  description:
    'A Source of a registered type, durable with the answer: only then may a checkpoint be committed past it. Equal again ' +
    'under its name answers as the first time; anything different is 409. Extraction reads the projection ' +
    '`service.builtin.text-evidence`, and skips an observation without it.',
  body: z.strictObject({ scope_id: scopeId, observation: sourceObservation }),
  status: 202,
  response: z.strictObject({ source: sourceRef, position: int(1) }),
  errors: ['source_definition_not_found', 'source_conflict', 'source_definition_conflict'],
  examples: [
    {
      summary: 'A file at a commit',
      body: { scope_id: exampleConnector.scope_id, observation: exampleObservation },
      response: { source: { name: exampleManifest.name, source_id: exampleObservation.name }, position: 4 },
    },
  ],
});

export const getConnectorCheckpoint = defineOperation({
  ...connectorTag,
  id: 'get_connector_checkpoint',
  path: '/v1/connector-checkpoints/get',
  summary: 'Where a connector goes on',
  description: '`checkpoint` is null where none was ever committed. It never writes.',
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
  path: '/v1/connector-checkpoints/commit',
  summary: 'Move the checkpoint of a connector on',
  description:
    'Only from the value that is `expected` (null: never committed), compared as canonical JSON. Of several commits from one ' +
    'value exactly one succeeds. What a checkpoint means is known to its connector alone.',
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
