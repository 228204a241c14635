import { z } from 'zod';
import { familyCatalog } from './catalog.ts';

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
