import type { Family } from '@continuity/contract';
import type { ArtifactFamily } from '../family.ts';
import { experienceFamily } from './experience.ts';
import { handoffFamily } from './handoff.ts';
import { memoryFamily } from './memory.ts';
import { skillFamily } from './skill.ts';

/** What each Family does its own way. */
export const artifactFamilies: Readonly<Record<Family, ArtifactFamily>> = {
  memory: memoryFamily,
  experience: experienceFamily,
  skill: skillFamily,
  handoff: handoffFamily,
};
