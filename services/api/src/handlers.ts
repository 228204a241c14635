import type { Settings } from '@continuity/kernel/config';
import { artifactHandlers } from '@continuity/shared/artifacts';
import { connectorHandlers } from '@continuity/shared/connectors';
import { contextHandlers } from '@continuity/shared/context';
import { experienceHandlers } from '@continuity/shared/experience';
import { externalSkillHandlers } from '@continuity/shared/external-skills';
import { generationHandlers } from '@continuity/shared/generation';
import { handoffHandlers } from '@continuity/shared/handoff';
import { handoffGenerationHandlers } from '@continuity/shared/handoff/generation';
import { jobHandlers } from '@continuity/shared/jobs';
import { memoryHandlers } from '@continuity/shared/memory';
import { remoteSkillHandlers } from '@continuity/shared/remote-skills';
import { catalogHandlers, reportHandlers } from '@continuity/shared/reports';
import { proposalHandlers, reviewHandlers } from '@continuity/shared/review';
import { scopeHandlers } from '@continuity/shared/scopes';
import { skillHandlers } from '@continuity/shared/skills';
import { sourceHandlers } from '@continuity/shared/sources';
import { statsHandlers } from '@continuity/shared/stats';
import { workHandlers } from '@continuity/shared/work';
import { type BoundOperations, bindByCode, bindHandlers } from './bind-handlers.ts';
import type { Servers } from './servers.ts';
import { type SystemDeps, systemHandlers } from './system-handlers.ts';

/** The handlers of all operations. */
export function allHandlers(settings: Settings, servers: Servers, systemDeps: SystemDeps): BoundOperations {
  return {
    ...systemHandlers(settings, servers, systemDeps),
    ...bindHandlers(servers, artifactHandlers),
    ...bindHandlers(servers, scopeHandlers),
    ...bindHandlers(servers, sourceHandlers),
    ...bindHandlers(servers, connectorHandlers),
    ...bindHandlers(servers, memoryHandlers),
    ...bindHandlers(servers, contextHandlers),
    ...bindHandlers(servers, workHandlers),
    ...bindHandlers(servers, handoffHandlers),
    ...bindHandlers(servers, handoffGenerationHandlers),
    ...bindHandlers(servers, proposalHandlers),
    ...bindHandlers(servers, reviewHandlers),
    ...bindHandlers(servers, experienceHandlers),
    ...bindHandlers(servers, skillHandlers),
    ...bindHandlers(servers, remoteSkillHandlers),
    enroll_remote_skill_target: bindByCode(
      servers,
      remoteSkillHandlers.enroll_remote_skill_target,
      'enroll_remote_skill_target',
      'enrollment_invalid',
    ),
    ...bindHandlers(servers, catalogHandlers),
    ...bindHandlers(servers, generationHandlers),
    ...bindHandlers(servers, externalSkillHandlers),
    ...bindHandlers(servers, statsHandlers),
    ...bindHandlers(servers, reportHandlers),
    ...bindHandlers(servers, jobHandlers),
  };
}
