import type { Settings } from '@continuity/kernel/config';
import type { Database } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { JobGateway } from '../jobs/index.ts';
import type { ExperienceGenerator, SkillGenerator } from './port.ts';

/** Dependencies of the operations that request a generation. */
export interface GenerationDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, 'EXPERIENCE_GENERATION' | 'SKILL_GENERATION' | 'INFERENCE_GENERATION_MODEL'>;
}

/** Dependencies of the handlers of generation jobs. */
export interface GenerateDeps {
  database: Database;
  logger: Logger;
  clock: Clock;
  experience: ExperienceGenerator;
  skill: SkillGenerator;
}
