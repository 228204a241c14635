import { z } from 'zod';
import { text } from '../notation/shapes.ts';

const field = text(1, 8000);

export const experienceContent = z
  .strictObject({ situation: field, action: field, outcome: field, lesson: field })
  .meta({ id: 'ExperienceContent', description: 'What was met, done, seen and learnt.' });

export type ExperienceContent = z.infer<typeof experienceContent>;
