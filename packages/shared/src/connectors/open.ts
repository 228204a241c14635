import type { Database } from '@continuity/kernel/database';
import { DefinitionCache } from './definitions.ts';
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
