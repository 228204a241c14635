import type { FamilySpec } from '../families/family-spec.ts';
import { memoryContent, memoryCreateContent, memoryReplaceContent } from './artifact-shapes.ts';

/** Memory entries have search terms of their own, so the Family has no document projection. */
export const memoryFamily = {
  content: memoryContent,
  createContent: memoryCreateContent,
  replaceContent: memoryReplaceContent,
  isSearched: false,
  hasCandidates: false,
} as const satisfies FamilySpec;
