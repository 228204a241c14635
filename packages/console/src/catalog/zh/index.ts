import type { en } from '../en/index.ts';
import { firstSteps } from './first-steps.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { memory } from './memory.ts';
import { review } from './review.ts';
import { shared } from './shared.ts';
import { why } from './why.ts';

/** Simplified Chinese. */
export const zh: typeof en = {
  ...frame,
  ...shared,
  ...review,
  ...memory,
  ...home,
  ...firstSteps,
  ...why,
};
