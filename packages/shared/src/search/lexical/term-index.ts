/**
 * Names of the tables and columns in which an area stores the terms of its texts. The statements of `search` take them
 * as an argument, so that this layer knows no area.
 */
export interface TermIndex {
  /** One row for each text: `tenant_id`, `scope_key`, `terms` (with a GIN index), `term_frequencies`, `length`. */
  texts: string;
  /** Columns of `texts` after `tenant_id` that are its primary key. */
  identity: readonly string[];
  /** The identity column that increases, approximately, with the time at which a text was added. */
  age: string;
  /** One row for each term: `tenant_id`, `scope_key`, `term`, and the document frequency. */
  terms: string;
  /** Column of `terms` with the document frequency. */
  documentFrequency: string;
  /** SQL for a copy of the terms of a row `c` of `texts`: ascending, parallel to `term_frequencies`. */
  ascending: string;
  /** Where a search leaves out some texts of the corpus, which count for its statistics all the same. */
  selection?: TextSelection;
}

/** The texts of a corpus that a search can find. The others have negative terms, which a lookup of a term does not find. */
interface TextSelection {
  /** SQL for how many of these texts have the term of a row `t` of `terms`. */
  postings: string;
  /** Column of `corpus` with the number of these texts. */
  size: string;
  /** SQL condition on a row of `texts` that these lookups find. */
  holds(alias: string): string;
  /** Whether lookups find the texts with negative terms too. */
  hasNegative: boolean;
}

/** SQL for how many texts that a search can find have the term of a row `t` of `terms`. */
export function postingsOf({ selection, documentFrequency }: TermIndex): string {
  return selection?.postings ?? `t.${documentFrequency}`;
}

/** Column of `corpus` with the number of texts that a search can find. */
export function sizeOf({ selection }: TermIndex): string {
  return selection?.size ?? 'total';
}

/** SQL for the array of terms under which the GIN index has the texts with one of `terms`. */
export function storedTerms({ selection }: TermIndex, terms: string): string {
  return selection?.hasNegative ? withNegative(terms) : terms;
}

/** SQL for an array of terms and their negatives. */
export function withNegative(terms: string): string {
  return `(${terms} || ARRAY(SELECT -t FROM unnest(${terms}) AS t))`;
}

/** SQL for the terms of a row of `texts` without the sign, in the same order. */
export function plainTerms(alias: string): string {
  return `CASE WHEN ${alias}.terms[1] < 0 THEN ARRAY(SELECT -t FROM unnest(${alias}.terms) WITH ORDINALITY AS u(t, n) ORDER BY n)
          ELSE ${alias}.terms END`;
}

/** Column list of a text's identity, each column with the table alias. */
export function identityOf({ identity }: TermIndex, alias: string): string {
  return identity.map((column) => `${alias}.${column}`).join(', ');
}
