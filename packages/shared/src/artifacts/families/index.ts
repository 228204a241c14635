import type { Family } from '@continuity/contract';
import type { ArtifactFamily } from '../family.ts';
import { experienceFamily } from './experience.ts';
import { handoffFamily } from './handoff.ts';
import { memoryFamily } from './memory.ts';
import { skillFamily } from './skill.ts';

/** The rules of each Family. A new Family is one entry here and one in the contract's `familyCatalog`. */
export const artifactFamilies: Readonly<Record<Family, ArtifactFamily>> = {
  memory: memoryFamily,
  experience: experienceFamily,
  skill: skillFamily,
  handoff: handoffFamily,
};
