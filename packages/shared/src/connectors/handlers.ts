import type { connectorOperations } from '@continuity/contract/connectors';
import type { Database } from '@continuity/kernel/database';
import { type Handlers, jsonAnswer } from '@continuity/shared/handlers';
import type { FlushDelay } from '../sources/index.ts';
import type { connectorBodies } from './bodies/index.ts';
import { commitCheckpoint, readCheckpoint } from './checkpoints.ts';
import { DefinitionCache, registerDefinition } from './definitions.ts';
import { submitObservation } from './observations/submit.ts';
import { SchemaValidator } from './schemas/schema-validator.ts';

/** The definition cache and the schema validator of a process. */
export interface Connectors {
  definitions: DefinitionCache;
  schemaValidator: SchemaValidator;
  /** Ends the threads of the validator. */
  close(): Promise<void>;
}

/** Creates the cache and the validator, which starts its threads at the first validation. */
export function openConnectors(database: Database): Connectors {
  const schemaValidator = new SchemaValidator();
  return {
    definitions: new DefinitionCache(database),
    schemaValidator,
    close: () => schemaValidator.close(),
  };
}

/** Dependencies of the operations on connectors. */
export interface ConnectorDeps {
  database: Database;
  connectors: Connectors;
  flushDelay: FlushDelay | null;
}

export const connectorHandlers: Handlers<typeof connectorOperations, ConnectorDeps, typeof connectorBodies> =
  {
    register_source_definition: async ({ database, connectors }, { tenantId }, { body }) => {
      await registerDefinition(database, connectors.schemaValidator, tenantId, body);
      return jsonAnswer(body.canonical);
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

    commit_connector_checkpoint: async ({ database }, { tenantId }, { body }) => {
      await commitCheckpoint(database, { tenantId, ...body });
      return jsonAnswer(`{"binding":${JSON.stringify(body.binding)},"checkpoint":${body.checkpoint}}`);
    },
  };
