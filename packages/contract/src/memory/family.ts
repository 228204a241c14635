import type { FamilySpec } from '../families/family.ts';
import { memoryContent, memoryCreateContent, memoryReplaceContent } from './artifact-shapes.ts';

/** Memory entries have search terms of their own, so the Family has no document projection. */
export const memoryFamily = {
  title: 'Memory',
  article: 'a',
  content: memoryContent,
  createContent: memoryCreateContent,
  replaceContent: memoryReplaceContent,
  isSearched: false,
  proposal: null,
  isGenerated: false,
} as const satisfies FamilySpec;
