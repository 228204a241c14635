import type { Database } from '@continuity/shared/kernel';
import { DefinitionCache } from './definitions/definition-cache.ts';
import { SchemaValidator } from './schemas/schema-validator.ts';

/** What a process keeps for the connector operations. */
export interface Connectors {
  definitions: DefinitionCache;
  schemaValidator: SchemaValidator;
  /** Ends the threads that schemas run in. */
  close(): Promise<void>;
}

/** Nothing is started before it is needed. */
export function openConnectors(database: Database): Connectors {
  const schemaValidator = new SchemaValidator();
  return {
    definitions: new DefinitionCache(database),
    schemaValidator,
    close: () => schemaValidator.close(),
  };
}
