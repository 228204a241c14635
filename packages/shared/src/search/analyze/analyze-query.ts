import { analyzeAtOnce } from './analyze-text.ts';
import { anyLanguage } from './language-mask.ts';
import { parseSegments } from './query-segments.ts';
import { collectTerms, type QueryAnalysis } from './query-terms.ts';
import { splitSegments } from './segments.ts';
import { stripTerminalControls } from './terminal-controls.ts';

/**
 * Analyzes a query (`analyzer.v2`, spec 20 S6, spec 25 §1). Leaves stop words out, unless the query holds nothing else. No segment
 * remains of a query without a term, such as `!!!`. Takes any string. The number and order of terms and segments are the same
 * for all languages of a corpus.
 *
 * @param corpus mask of the languages of the corpus (`languagesOf`): terms have no keys of other languages
 */
export function analyzeQuery(query: string, corpus: number = anyLanguage): QueryAnalysis {
  return collectTerms(parseSegments(splitSegments(stripTerminalControls(query))), corpus);
}

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

  /** The places of the terms that a text of a corpus of these languages holds. */
  termsHeldBy(text: string, languages?: number): ReadonlySet<number> {
    const held = analyzeAtOnce(text).terms;
    const terms = [...this.analysisIn(languages).terms.entries()];
    const found = terms.filter(([, { keys }]) => keys.some((key) => held.has(key)));
    return new Set(found.map(([place]) => place));
  }
}
