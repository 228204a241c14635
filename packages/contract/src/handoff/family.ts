import type { FamilySpec } from '../families/family.ts';
import { handoffContent, handoffContentInput } from './shapes.ts';

export const handoffFamily = {
  title: 'Handoff',
  article: 'a',
  content: handoffContent,
  createContent: handoffContentInput,
  replaceContent: handoffContentInput,
  isSearched: false,
  proposal: null,
  isGenerated: false,
} as const satisfies FamilySpec;
