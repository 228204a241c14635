import { z } from 'zod';
import { experienceFamily } from '../experience/family.ts';
import { handoffFamily } from '../handoff/family.ts';
import { memoryFamily } from '../memory/family.ts';
import { skillFamily } from '../skills/family.ts';
import type { FamilySpec } from './family-spec.ts';

/** Every Artifact Family by its name. A new Family is one record here and one in the domain's `artifactFamilies`. */
export const familyCatalog = {
  memory: memoryFamily,
  experience: experienceFamily,
  skill: skillFamily,
  handoff: handoffFamily,
} as const satisfies Record<string, FamilySpec>;

type Catalog = typeof familyCatalog;

export type Family = keyof Catalog;

/** Families whose record has the property set. */
type FamilyWith<Property extends 'isSearched' | 'hasCandidates'> = {
  [F in Family]: Catalog[F][Property] extends true ? F : never;
}[Family];

export type SearchedFamily = FamilyWith<'isSearched'>;
export type CandidateFamily = FamilyWith<'hasCandidates'>;

export const familyNames = Object.keys(familyCatalog) as Family[];

export const candidateFamilies = familyNames.filter(
  (name): name is CandidateFamily => familyCatalog[name].hasCandidates,
);

export const family = z.enum(familyNames).meta({ id: 'Family' });
