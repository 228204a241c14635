import { experienceFamily } from '../experience/shapes.ts';
import { handoffFamily } from '../handoff/family.ts';
import { memoryFamily } from '../memory/family.ts';
import { skillFamily } from '../skills/family.ts';
import type { FamilySpec } from './family.ts';

/**
 * Every Artifact Family by its name. To add a Family, add its record here, and the domain's half in `shared/src/families`, which does
 * not compile without it. Shapes, operations, capabilities and statistics derive from this list.
 */
export const familyCatalog = {
  memory: memoryFamily,
  experience: experienceFamily,
  skill: skillFamily,
  handoff: handoffFamily,
} as const satisfies Record<string, FamilySpec>;
