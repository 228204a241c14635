import { experienceRecord } from './experience.ts';
import type { Families } from './family.ts';
import { handoffRecord } from './handoff.ts';
import { memoryRecord } from './memory.ts';
import { skillRecord } from './skill.ts';

export type { Families, FamilyRecord } from './family.ts';

/** The record of every Family. Composition roots pass it to the areas, which name no Family. */
export const families: Families = {
  memory: memoryRecord,
  experience: experienceRecord,
  skill: skillRecord,
  handoff: handoffRecord,
};
