import { compareTexts, type DifferenceLine } from './difference.ts';
import { findPassages, type Passages } from './passages.ts';

/** A task for the worker: compare two texts, or find what stands in both. */
export type TextTask = { number: number; kind: 'difference' | 'passages'; before: string; after: string };
export type TextResult = { number: number; result: DifferenceLine[] | Passages | null };

addEventListener('message', ({ data }: MessageEvent<TextTask>) => {
  const { number, kind, before, after } = data;
  const result = kind === 'difference' ? compareTexts(before, after) : findPassages(before, after);
  postMessage({ number, result } satisfies TextResult);
});
