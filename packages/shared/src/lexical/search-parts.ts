import { bm25 } from './bm25.ts';

/** Where the projections of an area's texts are kept. All names are of the database. */
export interface LexicalTables {
  /** A row a text, with `tenant_id`, `scope_key`, `terms` (with a GIN index of their own), `term_frequencies`, `length`. */
  texts: string;
  /** Columns of `texts` that name a text. */
  identity: readonly string[];
  /** One of them that ascends, about, with the time at which a text came. */
  age: string;
  /** A row a term, with `tenant_id`, `scope_key`, `term`. */
  terms: string;
  /** Column of `terms`: how many texts hold it. */
  holders: string;
  /** How often a text holds the term `k.key`, from its `d.terms` and `d.term_frequencies`; null where it does not. */
  frequency: string;
}

/** Of the keys that are looked for, those that a text holds, with their weights. Reads `scope`. */
export function knownKeys({ terms, holders }: LexicalTables): string {
  return `known AS MATERIALIZED (
     SELECT q.ord, q.key, m.${holders} AS holders,
            q.weight * ln(1 + (s.total - m.${holders} + 0.5) / (m.${holders} + 0.5))::float8 AS weight
     FROM scope s CROSS JOIN unnest($3::int[], $4::bigint[], $5::float8[]) AS q(ord, key, weight)
     CROSS JOIN LATERAL (
       SELECT t.${holders} FROM ${terms} t
       WHERE t.tenant_id = $1 AND t.scope_key = s.scope_key AND t.term = q.key OFFSET 0
     ) AS m
     WHERE m.${holders} > 0
   )`;
}

/**
 * The rows that `condition` finds by the index on terms. Terms are of one Scope: whose a row is, is asked of what that one
 * index has found (OFFSET 0), and never looked for through another.
 */
export function textsWith({ texts, identity }: LexicalTables, condition: string): string {
  return `
  SELECT ${columnsOf('s', identity)}, s.terms, s.term_frequencies, s.length
  FROM (SELECT * FROM ${texts} WHERE ${condition} OFFSET 0) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM scope)`;
}

/** Scores each text of `candidate` once, and leaves out those that do not hold enough terms (spec 20 S7, S8). */
export function scoredTexts({ identity, frequency }: LexicalTables): string {
  return `scored AS (
     SELECT DISTINCT ON (${columnsOf('c', identity)}) ${columnsOf('c', identity)}, m.score
     FROM candidate c CROSS JOIN scope CROSS JOIN LATERAL (
       SELECT array_cat(c.terms, '{}') AS terms, array_cat(c.term_frequencies, '{}') AS term_frequencies OFFSET 0
     ) AS d CROSS JOIN LATERAL (
       SELECT sum(best ORDER BY ord) AS score, count(*) AS held FROM (
         SELECT k.ord, max(k.weight * f.tf * ${bm25.k1 + 1}
                    / (f.tf + ${bm25.k1} * (${1 - bm25.b} + ${bm25.b}::float8 * c.length / scope.average))) AS best
         FROM known k CROSS JOIN LATERAL
           (SELECT (${frequency})::float8 AS tf OFFSET 0) AS f
         WHERE f.tf IS NOT NULL GROUP BY k.ord
       ) AS term
     ) AS m
     WHERE m.held >= $6::int
   )`;
}

function columnsOf(alias: string, identity: readonly string[]): string {
  return identity.map((column) => `${alias}.${column}`).join(', ');
}
