import { runAtOnce } from '@continuity/kernel/fairness';
import { type AnalyzedText, analyzeSteps } from '../../src/search/analyze/analyze-text.ts';

/** Analyzes a text for the index, without a pause. */
export function analyzeText(text: string): AnalyzedText {
  return runAtOnce(analyzeSteps(text));
}
