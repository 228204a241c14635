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
import { type BoundOperations, bindHandlers } from './bind-handlers.ts';
import type { Runtime } from './runtime.ts';
import { type SystemDeps, systemHandlers } from './system-handlers.ts';

/** The handlers of all operations. */
export function allHandlers(settings: Settings, runtime: Runtime, systemDeps: SystemDeps): BoundOperations {
  return {
    ...systemHandlers(settings, runtime, systemDeps),
    ...bindHandlers(runtime, artifactHandlers),
    ...bindHandlers(runtime, scopeHandlers),
    ...bindHandlers(runtime, sourceHandlers),
    ...bindHandlers(runtime, connectorHandlers),
    ...bindHandlers(runtime, memoryHandlers),
    ...bindHandlers(runtime, contextHandlers),
    ...bindHandlers(runtime, workHandlers),
    ...bindHandlers(runtime, handoffHandlers),
    ...bindHandlers(runtime, handoffGenerationHandlers),
    ...bindHandlers(runtime, proposalHandlers),
    ...bindHandlers(runtime, reviewHandlers),
    ...bindHandlers(runtime, experienceHandlers),
    ...bindHandlers(runtime, skillHandlers),
    ...bindHandlers(runtime, remoteSkillHandlers),
    ...bindHandlers(runtime, catalogHandlers),
    ...bindHandlers(runtime, generationHandlers),
    ...bindHandlers(runtime, externalSkillHandlers),
    ...bindHandlers(runtime, statsHandlers),
    ...bindHandlers(runtime, reportHandlers),
    ...bindHandlers(runtime, jobHandlers),
  };
}
