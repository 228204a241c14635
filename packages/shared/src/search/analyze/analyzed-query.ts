import { analyzeQuery } from './analyze-query.ts';
import { analyzeAtOnce } from './analyze-text.ts';
import { anyLanguage } from './language-mask.ts';
import type { QueryAnalysis } from './query-terms.ts';

/** A query that is analyzed on demand, once for each set of corpus languages: stemming in all of them is expensive. */
export class AnalyzedQuery {
  readonly #text: string;
  readonly #analyses = new Map<number, QueryAnalysis>();

  /** @param text normalized */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Terms and segments for a corpus of these languages (`languagesOf`). Their number and order are the same for all
   * languages.
   */
  analysisIn(languages: number = anyLanguage): QueryAnalysis {
    const analysis = this.#analyses.get(languages) ?? analyzeQuery(this.#text, languages);
    this.#analyses.set(languages, analysis);
    return analysis;
  }

  /** The segments as they were written. */
  segmentTexts(): readonly string[] {
    return this.analysisIn().segments.map(({ text }) => text);
  }

  /** How many terms of each segment a text holds. */
  matchesBySegment(text: string): readonly number[] {
    const { terms, segments } = this.analysisIn();
    const held = analyzeAtOnce(text).terms;
    return segments.map(
      (segment) => segment.terms.filter((place) => terms[place]?.keys.some((key) => held.has(key))).length,
    );
  }
}
