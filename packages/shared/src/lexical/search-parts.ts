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
  /** The terms of a row `c` of `texts` as an ascending array, each at the place that its frequency has; a copy. */
  ascending: string;
}

/**
 * Of the keys that are looked for, those that a text holds, with their weights. Reads `scope`. Most keys are those of the words in
 * languages that the corpus does not have: they are not even looked up.
 *
 * @param most a parameter with a number for each key, for the column of this name
 */
export function knownKeys({ terms, holders }: LexicalTables, most = `'{}'`): string {
  return `known AS MATERIALIZED (
     SELECT q.ord, q.key, m.${holders} AS holders, q.most,
            q.weight * ln(1 + (s.total - m.${holders} + 0.5::float8) / (m.${holders} + 0.5::float8)) AS weight
     FROM scope s CROSS JOIN LATERAL (
       SELECT q.ord, q.key, q.weight, q.most
       FROM unnest($3::int[], $4::bigint[], $5::float8[], $9::int[], ${most}::int[]) AS q(ord, key, weight, language, most)
       WHERE q.language & s.languages = q.language OFFSET 0
     ) AS q CROSS JOIN LATERAL (
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
export function textsWith({ texts, identity }: LexicalTables, condition: string, otherwise = 'true'): string {
  return `
  SELECT ${columnsOf('s', identity)}, s.terms, s.term_frequencies, s.length
  FROM (SELECT * FROM ${texts} WHERE (${condition}) AND ${otherwise} OFFSET 0) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM scope)`;
}

/**
 * Scores each text of `candidates`, and leaves out those that do not hold enough terms (spec 20 S7, S8): `scored`. A row's
 * arrays are read once (`d`) and not for each term, and halved instead of gone through. Sums are made in the order of the
 * query, so that equal texts have equal scores. Where several keys of a term are known, the first one stands for it, and the
 * others are only looked at then. OFFSET 0 keeps a score from being worked out for the sum, and again for the count.
 *
 * @param candidates each text once; may read `asked`: the known keys, with `of_term`, the sum of the holders of all keys of its
 *   term
 */
export function scoredTexts({ identity, ascending }: LexicalTables, candidates: string): string {
  const frequency = (key: string) =>
    `CASE WHEN d.terms[${key}.place] = ${key}.key THEN d.frequencies[${key}.place] END`;
  // tf / (tf + norm), with one look at the frequency; null where the text does not hold the key.
  const score = (key: string) => `${key}.weight * (1 - d.norm / (${frequency(key)} + d.norm))`;
  return `asked AS MATERIALIZED (
     SELECT k.ord, k.key, k.weight * ${bm25.k1 + 1} AS weight, k.key = t.first AS is_first, t.has_more, t.of_term
     FROM known AS k CROSS JOIN LATERAL (
       SELECT min(key) AS first, count(*) > 1 AS has_more, sum(holders) AS of_term FROM known WHERE ord = k.ord
     ) AS t
   ), scored AS (
     SELECT ${columnsOf('c', identity)}, m.score
     FROM (${candidates}) AS c CROSS JOIN scope CROSS JOIN LATERAL (
       SELECT ${ascending} AS terms, array_cat(c.term_frequencies, '{}') AS frequencies,
              ${bm25.k1} * (${1 - bm25.b} + ${bm25.b}::float8 * c.length / scope.average) AS norm OFFSET 0
     ) AS d CROSS JOIN LATERAL (
       SELECT sum(best) AS score, count(best) AS held FROM (
         SELECT greatest(${score('k')}, CASE WHEN k.has_more THEN (
           SELECT max(${score('o')}) FROM (
             SELECT key, weight, width_bucket(key, d.terms) AS place FROM asked
             WHERE ord = k.ord AND NOT is_first OFFSET 0
           ) AS o
         ) END) AS best
         FROM (SELECT *, width_bucket(key, d.terms) AS place FROM asked WHERE is_first OFFSET 0) AS k OFFSET 0
       ) AS term
     ) AS m
     WHERE m.held >= $6::int
   )`;
}

/** Texts that may have been found more than once, once. */
export function eachOnce({ identity }: LexicalTables, texts: string): string {
  return `SELECT DISTINCT ON (${columnsOf('f', identity)}) f.* FROM (${texts}) AS f`;
}

function columnsOf(alias: string, identity: readonly string[]): string {
  return identity.map((column) => `${alias}.${column}`).join(', ');
}
