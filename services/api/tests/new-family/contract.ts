import type { FamilySpec } from '@continuity/contract';
import { z } from 'zod';

const content = z.strictObject({
  title: z.string().min(1).max(200),
  steps: z.array(z.string().min(1).max(500)).min(1).max(50),
});

export type ChecklistContent = z.infer<typeof content>;

const example = { title: 'Release', steps: ['Run the tests.', 'Tag the commit.'] };

/** The contract of a Family that only this test has. */
export const checklistFamily = {
  title: 'Checklist',
  article: 'a',
  content,
  createContent: content,
  replaceContent: content,
  isSearched: true,
  proposal: {
    description: 'Stores a pending Candidate with the proposal as sent.',
    canRetire: false,
    example: {
      summary: 'Two steps',
      sent: example,
      reason: null,
      candidateId: '01993c20-10aa-7f00-8a11-0c0ffee00002',
      stored: example,
    },
  },
  isGenerated: false,
} as const satisfies FamilySpec;
