import { z } from 'zod';
import type { FamilySpec } from '../families/family.ts';
import { text } from '../notation/shapes.ts';

const field = text(1, 8000);

export const experienceContent = z
  .strictObject({ situation: field, action: field, outcome: field, lesson: field })
  .meta({
    id: 'ExperienceContent',
    description: 'A situation, the action taken, its outcome and the lesson.',
  });

export type ExperienceContent = z.infer<typeof experienceContent>;

/** The content of the examples. */
export const exampleExperience = {
  situation: 'The public HTTP contract changed.',
  action: 'The client was generated again.',
  outcome: 'The contract tests passed.',
  lesson: 'Generate the client before running the contract tests.',
};

/** Experiences in the Artifact and review operations. */
export const experienceFamily = {
  title: 'Experience',
  article: 'an',
  content: experienceContent,
  createContent: experienceContent,
  replaceContent: experienceContent,
  isSearched: true,
  proposal: {
    description: 'Stores a pending Candidate with the proposal as sent.',
    canRetire: false,
    example: {
      summary: 'A lesson, with the Source that it comes from',
      idempotencyKey: 'lesson-412',
      sent: exampleExperience,
      reason: 'Seen twice in March.',
      candidateId: '01993c1e-7b1a-7c3d-9e2f-5a6b7c8d9e01',
      stored: exampleExperience,
    },
  },
  isGenerated: true,
} as const satisfies FamilySpec;
