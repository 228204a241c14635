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
}

/** Column list of a text's identity, each column with the table alias. */
export function identityOf({ identity }: TermIndex, alias: string): string {
  return identity.map((column) => `${alias}.${column}`).join(', ');
}
