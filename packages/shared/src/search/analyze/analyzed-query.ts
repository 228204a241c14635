import { analyzeQuery, type QueryTerm } from './analyze-query.ts';
import { anyLanguage } from './language-mask.ts';

/** A query that is analyzed on demand, once for each set of corpus languages: stemming in all of them is expensive. */
export class AnalyzedQuery {
  readonly #text: string;
  readonly #terms = new Map<number, readonly QueryTerm[]>();

  /** @param text normalized */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The query terms for a corpus of these languages (`languagesOf`). Their number and order are the same for all
   * languages.
   */
  termsIn(languages: number = anyLanguage): readonly QueryTerm[] {
    const terms = this.#terms.get(languages) ?? analyzeQuery(this.#text, languages);
    this.#terms.set(languages, terms);
    return terms;
  }
}
