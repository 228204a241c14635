import { z } from 'zod';
import { experienceFamily } from '../experience/shapes.ts';
import { handoffFamily } from '../handoff/shapes.ts';
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

type Catalog = typeof familyCatalog;

export type Family = keyof Catalog;

/** Families whose record has the property set. */
type FamilyWith<Property extends 'isSearched' | 'isGenerated'> = {
  [F in Family]: Catalog[F][Property] extends true ? F : never;
}[Family];

export type SearchedFamily = FamilyWith<'isSearched'>;
export type GeneratedFamily = FamilyWith<'isGenerated'>;
export type CandidateFamily = {
  [F in Family]: Catalog[F]['proposal'] extends null ? never : F;
}[Family];

export const familyNames = Object.keys(familyCatalog) as Family[];

export const candidateFamilies = familyNames.filter(
  (name): name is CandidateFamily => familyCatalog[name].proposal !== null,
);

export const generatedFamilies = familyNames.filter(
  (name): name is GeneratedFamily => familyCatalog[name].isGenerated,
);

export const family = z.enum(familyNames).meta({ id: 'Family' });
