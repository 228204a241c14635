import { type AnalyzedText, analyzeSteps } from '../../src/search/analyze/analyze-text.ts';
import { runAtOnce } from '@continuity/kernel/fairness';

/** Analyzes a text for the index, without a pause. */
export function analyzeText(text: string): AnalyzedText {
  return runAtOnce(analyzeSteps(text));
}
