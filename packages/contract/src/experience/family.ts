import type { FamilySpec } from '../families/family-spec.ts';
import { experienceContent } from './shapes.ts';

export const experienceFamily = {
  content: experienceContent,
  createContent: experienceContent,
  replaceContent: experienceContent,
  isSearched: true,
  hasCandidates: true,
} as const satisfies FamilySpec;
