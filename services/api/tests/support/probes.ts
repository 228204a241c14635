import { artifactProbes } from './probes/artifacts.ts';
import { jobProbes } from './probes/jobs.ts';
import { memoryProbes } from './probes/memory.ts';
import type { Probes } from './probes/probe.ts';
import { remoteSkillProbes } from './probes/remote-skills.ts';
import { reportProbes } from './probes/reports.ts';
import { reviewProbes } from './probes/review.ts';
import { scopeProbes } from './probes/scopes.ts';
import { skillProbes } from './probes/skills.ts';
import { sourceProbes } from './probes/sources.ts';
import { workProbes } from './probes/work.ts';

export type { Walled } from './probes/probe.ts';

/** For each operation, requests with every use of the names. A new operation does not compile without them. */
export const probes: Probes = {
  ...scopeProbes,
  ...sourceProbes,
  ...memoryProbes,
  ...artifactProbes,
  ...workProbes,
  ...reviewProbes,
  ...skillProbes,
  ...remoteSkillProbes,
  ...reportProbes,
  ...jobProbes,
};
