import type { Settings } from '@continuity/kernel/config';
import type { Database } from '@continuity/kernel/database';
import type { JobGateway } from '../../jobs/index.ts';

/** Dependencies of the operations on Handoff drafts. */
export interface HandoffGenerationDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, 'HANDOFF_GENERATION'>;
}
