import type { Database, Settings } from '@continuity/shared/kernel';
import type { JobGateway } from '../../jobs/index.ts';

/** Dependencies of the operations on Handoff drafts. */
export interface HandoffGenerationDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, 'HANDOFF_GENERATION'>;
}
