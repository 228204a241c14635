import { z } from 'zod';
import { text } from '../notation/shapes.ts';

const field = text(1, 8000);

export const experienceContent = z
  .strictObject({ situation: field, action: field, outcome: field, lesson: field })
  .meta({
    id: 'ExperienceContent',
    description: 'A situation, the action taken, its outcome and the lesson.',
  });

export type ExperienceContent = z.infer<typeof experienceContent>;
