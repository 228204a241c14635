import type { ArtifactDeps } from '@continuity/shared/artifacts';
import type { ConnectorDeps } from '@continuity/shared/connectors';
import type { ContextDeps } from '@continuity/shared/context';
import type { ExperienceDeps } from '@continuity/shared/experience/operations';
import type { ExternalSkillDeps } from '@continuity/shared/external-skills';
import type { GenerationDeps } from '@continuity/shared/generation';
import type { HandoffDeps } from '@continuity/shared/handoff';
import type { HandoffGenerationDeps } from '@continuity/shared/handoff/generation';
import type { JobDeps } from '@continuity/shared/jobs';
import type { MemoryDeps } from '@continuity/shared/memory';
import type { RemoteSkillDeps } from '@continuity/shared/remote-skills';
import type { CatalogDeps, ReportAnswerDeps } from '@continuity/shared/reports';
import type { ReviewDeps } from '@continuity/shared/review';
import type { ScopeDeps } from '@continuity/shared/scopes';
import type { SkillDeps } from '@continuity/shared/skills/operations';
import type { SourceDeps } from '@continuity/shared/sources';
import type { StatsDeps } from '@continuity/shared/stats';
import type { WorkDeps } from '@continuity/shared/work';

/** The dependencies of all operations. `startGateway` provides them. */
export type OperationDeps = ArtifactDeps &
  CatalogDeps &
  ConnectorDeps &
  ContextDeps &
  ExperienceDeps &
  ExternalSkillDeps &
  GenerationDeps &
  HandoffDeps &
  HandoffGenerationDeps &
  JobDeps &
  MemoryDeps &
  RemoteSkillDeps &
  ReportAnswerDeps &
  ReviewDeps &
  ScopeDeps &
  SkillDeps &
  SourceDeps &
  StatsDeps &
  WorkDeps;
