import { identityOf, type TermIndex } from './term-index.ts';

/*
 * Common table expressions that compute BM25 in the database (spec 20 S8):
 *
 *     score(text, query) = sum over query terms of ( max over the term's keys that the text holds of weight * keyScore )
 *     keyScore           = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / averageLength))
 *     idf                = ln(1 + (N - n + 0.5) / (n + 0.5))
 *
 * The keys of one query term are forms of one word, so the best one counts and not their sum. Each key has its own
 * document frequency `n`, so a rare form scores higher than a common one. `QueryTerm` has the weights.
 *
 * A statement begins with `corpus`: one row with `scope_key`, `total` (texts), `entered` (texts ever added), `average`
 * (length) and `languages`; no row where there is nothing to search. The parameters are those of `queryParameters`.
 */

/** The usual values for short passages. */
const k1 = 0.9;
const b = 0.4;

/**
 * `matched`: the query keys that texts of the corpus hold, with document frequency (`df`) and idf weight. Most keys are
 * forms of words in languages that the corpus does not have; the mask filters them out before any lookup.
 */
export function matchedKeys({ terms, documentFrequency }: TermIndex): string {
  return `matched AS MATERIALIZED (
     SELECT q.ord, q.key, m.df, q.weight * ln(1 + (c.total - m.df + 0.5::float8) / (m.df + 0.5::float8)) AS weight
     FROM corpus c CROSS JOIN LATERAL (
       SELECT q.ord, q.key, q.weight
       FROM unnest($3::int[], $4::bigint[], $5::float8[], $7::int[]) AS q(ord, key, weight, language)
       WHERE q.language & c.languages = q.language OFFSET 0
     ) AS q CROSS JOIN LATERAL (
       SELECT t.${documentFrequency} AS df FROM ${terms} t
       WHERE t.tenant_id = $1 AND t.scope_key = c.scope_key AND t.term = q.key OFFSET 0
     ) AS m
     WHERE m.df > 0
   )`;
}

/**
 * The texts that `condition` finds through the GIN index on terms. Hashed terms belong to one corpus, so the index alone
 * selects its texts; OFFSET 0 keeps the planner from using another index for tenant and Scope.
 */
export function textsWith(index: TermIndex, condition: string): string {
  return `
  SELECT ${identityOf(index, 's')}, s.terms, s.term_frequencies, s.length
  FROM (SELECT * FROM ${index.texts} WHERE ${condition} OFFSET 0) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM corpus)`;
}

/**
 * `scored`: identity and BM25 score of each candidate that holds at least $6 query terms (spec 20 S7, S8).
 *
 * - The arrays of a row are detoasted once (`d`), and `width_bucket` finds a term by binary search.
 * - Scores add up in the order of the query, so that equal texts have equal scores.
 * - A query term with several matched keys counts its best one; only then does the statement look at the others.
 * - OFFSET 0 keeps the planner from computing a score twice, for the sum and for the count.
 *
 * @param candidates each text once, with the columns of `textsWith`; may read `query_key`: the matched keys, with
 *   `term_df`, the sum of the document frequencies of all keys of the query term
 */
export function scoredTexts(index: TermIndex, candidates: string): string {
  const frequency = (key: string) =>
    `CASE WHEN d.terms[${key}.place] = ${key}.key THEN d.frequencies[${key}.place] END`;
  // tf / (tf + norm) with one look at the frequency; null if the text does not hold the key.
  const score = (key: string) => `${key}.weight * (1 - d.norm / (${frequency(key)} + d.norm))`;
  return `query_key AS MATERIALIZED (
     SELECT k.ord, k.key, k.weight * ${k1 + 1} AS weight, k.key = t.first AS is_first, t.has_more, t.term_df
     FROM matched AS k CROSS JOIN LATERAL (
       SELECT min(key) AS first, count(*) > 1 AS has_more, sum(df) AS term_df FROM matched WHERE ord = k.ord
     ) AS t
   ), scored AS (
     SELECT ${identityOf(index, 'c')}, m.score
     FROM (${candidates}) AS c CROSS JOIN corpus CROSS JOIN LATERAL (
       SELECT ${index.ascending} AS terms, array_cat(c.term_frequencies, '{}') AS frequencies,
              ${k1} * (${1 - b} + ${b}::float8 * c.length / corpus.average) AS norm OFFSET 0
     ) AS d CROSS JOIN LATERAL (
       SELECT sum(best) AS score, count(best) AS terms_held FROM (
         SELECT greatest(${score('k')}, CASE WHEN k.has_more THEN (
           SELECT max(${score('o')}) FROM (
             SELECT key, weight, width_bucket(key, d.terms) AS place FROM query_key
             WHERE ord = k.ord AND NOT is_first OFFSET 0
           ) AS o
         ) END) AS best
         FROM (SELECT *, width_bucket(key, d.terms) AS place FROM query_key WHERE is_first OFFSET 0) AS k OFFSET 0
       ) AS term
     ) AS m
     WHERE m.terms_held >= $6::int
   )`;
}
