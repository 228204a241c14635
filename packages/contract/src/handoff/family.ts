import type { FamilySpec } from '../families/family-spec.ts';
import { handoffContent, handoffContentInput } from './shapes.ts';

export const handoffFamily = {
  content: handoffContent,
  createContent: handoffContentInput,
  replaceContent: handoffContentInput,
  isSearched: false,
  hasCandidates: false,
} as const satisfies FamilySpec;
