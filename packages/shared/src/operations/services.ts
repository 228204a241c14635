import type { Clock, CursorCodec, Database, Logger, Settings } from '@continuity/shared/kernel';
import type { Connectors } from '../connectors/index.ts';
import type { JobGateway } from '../jobs/index.ts';
import type { Searching } from '../memory/index.ts';
import type { FlushDelay } from '../sources/append.ts';

/** What handlers work with: opened once a process, passed on, never global. */
export interface Services {
  settings: Settings;
  logger: Logger;
  database: Database;
  cursors: CursorCodec;
  clock: Clock;
  jobs: JobGateway;
  connectors: Connectors;
  /** When new Sources are flushed by themselves; null where that is off. */
  flushDelay: FlushDelay | null;
  /** What searches of Memory work with. */
  searching: Searching;
}
