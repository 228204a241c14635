import type { OperationInput } from '@continuity/contract';
import type { remoteSkillOperations } from '@continuity/contract/remote-skills';
import type { Settings } from '@continuity/kernel/config';
import type { Database } from '@continuity/kernel/database';
import type { JobGateway } from '../jobs/index.ts';

/** Dependencies of the operations on remote targets. */
export interface RemoteSkillDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, 'REMOTE_ENROLLMENT_TTL_MS' | 'REMOTE_OFFLINE_MS'>;
}

type Operations = typeof remoteSkillOperations;

/** The validated body of an operation. */
export type BodyOf<Name extends keyof Operations> = OperationInput<Operations[Name]>['body'];
