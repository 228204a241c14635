import type { Settings } from '@continuity/kernel/config';
import type { Database } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { GenerationFamilies, SkillGenerator } from '../generation/index.ts';
import type { JobGateway } from '../jobs/index.ts';
import type { TenantHosts } from './tenant-hosts.ts';
import type { SkillReaders } from './threads/skill-readers.ts';

/** Dependencies of the operations on External Skills. */
export interface ExternalSkillDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, 'SKILL_GENERATION' | 'INFERENCE_GENERATION_MODEL'>;
  skillHosts: TenantHosts;
  families: GenerationFamilies;
}

/** Dependencies of the jobs that read External Skills. */
export interface ReadSkillsDeps {
  database: Database;
  logger: Logger;
  hosts: TenantHosts;
  readers: SkillReaders;
}

/** Dependencies of the job that imports an External Skill. */
export interface ImportDeps extends ReadSkillsDeps {
  clock: Clock;
  skill: SkillGenerator;
}
