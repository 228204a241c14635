import type { ExperienceContent } from '@continuity/contract/experience';
import { type TaskOutcome, taskOutcome } from '@continuity/contract/work';
import { normalizePiece, type Piece } from '../../src/generation/piece.ts';

export const prose = (text: string): Piece => ({ kind: 'text', ...normalizePiece(text) });

export const usage = (line: string): Piece => ({ kind: 'usage', ...normalizePiece(line) });

export const experience = (content: ExperienceContent): Piece => ({
  kind: 'experience',
  content,
  text: '',
  isTruncated: false,
});

export const outcome = (change: Partial<TaskOutcome> = {}): Piece => ({
  kind: 'task-outcome',
  outcome: taskOutcome.parse({
    objective: 'Raise the pool.',
    status: 'partial',
    summary: 'The pool was raised.',
    observations: [{ text: 'The limit was thirty.' }],
    ...change,
  }),
  text: '',
  isTruncated: false,
});
