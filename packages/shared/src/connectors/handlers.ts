import type { connectorOperations } from '@continuity/contract/connectors';
import type { Handlers, JsonValue } from '@continuity/shared/kernel';
import type { Services } from '../operations/services.ts';
import { commitCheckpoint, readCheckpoint } from './checkpoints.ts';
import { registerDefinition } from './definitions/register.ts';
import { submitObservation } from './observations/submit.ts';

export const connectorHandlers: Handlers<typeof connectorOperations, Services> = {
  register_source_definition: async ({ database, connectors }, { tenantId }, { body }) => {
    await registerDefinition(database, connectors.schemaValidator, tenantId, body.manifest);
    return { body: body.manifest };
  },

  submit_source_observation: async ({ database, connectors, flushDelay }, { tenantId }, { body }) => {
    const { scope_id, observation } = body;
    const position = await submitObservation(
      { database, flushDelay, ...connectors },
      tenantId,
      scope_id,
      observation,
    );
    return { body: { source: { name: observation.source_type, source_id: observation.name }, position } };
  },

  get_connector_checkpoint: async ({ database }, { tenantId }, { body: { binding } }) => ({
    body: { binding, checkpoint: await readCheckpoint(database.sql, tenantId, binding) },
  }),

  commit_connector_checkpoint: async ({ database }, { tenantId }, { body: { binding, ...values } }) => {
    const expected = values.expected as JsonValue;
    const checkpoint = values.checkpoint as JsonValue;
    await commitCheckpoint(database, { tenantId, binding, expected, checkpoint });
    return { body: { binding, checkpoint } };
  },
};
