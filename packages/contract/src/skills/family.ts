import type { FamilySpec } from '../families/family-spec.ts';
import { skillContent, skillContentInput } from './shapes.ts';

export const skillFamily = {
  content: skillContent,
  createContent: skillContentInput,
  replaceContent: skillContentInput,
  isSearched: true,
  hasCandidates: true,
} as const satisfies FamilySpec;
