import { analyzeQuery, type QueryTerm } from './analyze-query.ts';
import { anyLanguage } from './key-languages.ts';

/** The words of one query, analyzed when they are asked for: most corpora are of one language, and stemming takes its time. */
export class QueryWords {
  readonly #text: string;
  readonly #terms = new Map<number, readonly QueryTerm[]>();

  /** @param text normalized */
  constructor(text: string) {
    this.#text = text;
  }

  /** How many query terms there are. */
  get count(): number {
    const [terms = this.termsIn(anyLanguage)] = this.#terms.values();
    return terms.length;
  }

  /**
   * The query terms for a corpus of these languages, as `languagesOf` has them. How many there are, and in which order, does
   * not depend on it.
   */
  termsIn(languages: number): readonly QueryTerm[] {
    const terms = this.#terms.get(languages) ?? analyzeQuery(this.#text, languages);
    this.#terms.set(languages, terms);
    return terms;
  }
}
