import type { Family } from '@continuity/shared/kernel';
import type { ArtifactFamily } from '../family.ts';
import type { CreateRequest } from '../shapes.ts';
import { experienceFamily } from './experience.ts';
import { handoffFamily } from './handoff.ts';
import { memoryFamily } from './memory.ts';

type FamilyRules = Record<CreateRequest['family'], ArtifactFamily> & Partial<Record<Family, ArtifactFamily>>;

/** The Families that this build keeps: one that can be created must be here. No Scope has anything of another one. */
export const artifactFamilies: Readonly<FamilyRules> = {
  memory: memoryFamily,
  experience: experienceFamily,
  handoff: handoffFamily,
};
