import type { Database } from '@continuity/shared/kernel';
import { KnownDefinitions } from './definitions/known-definitions.ts';
import { SchemaJudge } from './schemas/judge.ts';

/** What a process keeps for the connector operations. */
export interface Connectors {
  definitions: KnownDefinitions;
  judge: SchemaJudge;
  /** Ends the threads that schemas run in. */
  close(): Promise<void>;
}

/** Nothing is started before it is needed. */
export function openConnectors(database: Database): Connectors {
  const judge = new SchemaJudge();
  return { definitions: new KnownDefinitions(database), judge, close: () => judge.close() };
}
