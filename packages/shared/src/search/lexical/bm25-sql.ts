import { optimizationFence } from '@continuity/kernel/database';
import { admitsAlone, admitsText, isRareKey, maxRareTexts } from './admission.ts';
import { useSql } from './key-uses.ts';
import { identityOf, plainTerms, postingsOf, type TermIndex } from './term-index.ts';

/*
 * Common table expressions that compute the score of a text in the database (spec 20 S8, spec 25 Q4 and Q5):
 *
 *     score(text)          = max over the segments that admit the text of score(text, segment)
 *     score(text, segment) = sum over its terms of ( max over the term's keys that the text holds of weight * keyScore )
 *     keyScore             = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / averageLength))
 *     idf                  = ln(1 + (N - n + 0.5) / (n + 0.5))
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
 * Scores are multiples of 2^-32. Sums of such numbers are exact, so equal matches have equal scores in whatever order a plan adds
 * them up.
 */
const grid = 2 ** 32;

/** SQL for the weight of a key: its score in a text that consists of it. */
export function weightOf(total: string, df: string): string {
  return `${k1 + 1} * ln(1 + (${total} - ${df} + 0.5::float8) / (${df} + 0.5::float8))`;
}

/** A text with more terms than this for each query key is searched for the keys, instead of joining its terms with them. */
const longTextFactor = 1.5;

/**
 * `matched`: the query keys that texts of the corpus hold, with document frequency (`df`), texts that a search can find (`postings`), idf weight, the places of their uses, and
 * whether they are rare. One index scan looks all keys up, because they ascend.
 */
export function matchedKeys(index: TermIndex): string {
  const { terms, documentFrequency } = index;
  return `found AS MATERIALIZED (
     SELECT m.key, m.df, m.postings, ($4::int[])[m.place] AS first_use, ($5::int[])[m.place] AS last_use, ${maxRareTexts} AS max_rare,
            ${weightOf('c.total', 'm.df')} AS weight
     FROM corpus c CROSS JOIN LATERAL (
       SELECT t.term AS key, t.${documentFrequency} AS df, ${postingsOf(index)} AS postings, width_bucket(t.term, $3::bigint[]) AS place FROM ${terms} t
       WHERE t.tenant_id = $1 AND t.scope_key = c.scope_key AND t.term = ANY ($3::bigint[]) ${optimizationFence}
     ) AS m
     WHERE m.df > 0
   ), matched AS MATERIALIZED (
     SELECT f.key, f.df, f.postings, f.first_use, f.last_use, f.weight, ${isRareKey(index)} AS is_rare FROM found f
   )`;
}

/**
 * The texts that `condition` finds through the GIN index on terms. Hashed terms belong to one corpus, so the index alone
 * selects its texts; OFFSET 0 keeps the planner from using another index for tenant and Scope.
 */
export function textsWith(index: TermIndex, columns: string, condition: string): string {
  const holds = index.selection?.holds('s');
  return `
  SELECT ${columns}
  FROM (SELECT * FROM ${index.texts} WHERE ${condition} ${optimizationFence}) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM corpus)${holds === undefined ? '' : ` AND ${holds}`}`;
}

/** SQL for the length normalization of a row of `texts`, which has `corpus` beside it. */
export function lengthNorm(alias: string): string {
  return `${k1} * (${1 - b} + ${b}::float8 * ${alias}.length / corpus.average)`;
}

/** The columns of a text that `scoredTexts` reads. */
export function scoredColumns(index: TermIndex, alias: string): string {
  const terms = index.selection === undefined ? `${alias}.terms` : `${plainTerms(alias)} AS terms`;
  return `${identityOf(index, alias)}, ${terms}, ${alias}.term_frequencies, ${alias}.length`;
}

/** `scored`: identity and score of each text of `heldTerms` that a segment admits. */
export function scoredTexts(index: TermIndex, texts: string): string {
  const own = index.identity.join(', ');
  return `${heldTerms(index, texts)}, scored AS (
     SELECT ${own}, max(score) AS score FROM (
       SELECT ${own}, sum(score) AS score FROM held GROUP BY ${own}, ${useSql.segmentOfTerm('term')} HAVING ${admitsText}
     ) AS s GROUP BY ${own}
   )`;
}

/**
 * `held`, after these expressions:
 *
 * - `used`: each matched key in each term that has it. A text with many more terms than there are keys is searched for them.
 * - `known`: the matched keys as arrays. The terms of another text are looked up in them by binary search (`width_bucket`): hash joins
 *   are off (`planner.ts`).
 * - `held`: the terms of each segment that a retrieved text holds, with the score and the weight of each. Keys of one term count once.
 *
 * @param texts SQL of the retrieved texts, each once, with the columns of `scoredColumns`
 */
export function heldTerms(index: TermIndex, texts: string): string {
  const identity = identityOf(index, 'c');
  const own = index.identity.join(', ');
  const { term, weight } = useSql;
  return `used AS MATERIALIZED (
     SELECT key, ${term('use')} AS term, ${admitsAlone('is_rare', 'use')} AS admits, weight * ${weight('use')} AS weight
     FROM matched CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use
   ), known AS MATERIALIZED (
     SELECT array_agg(key ORDER BY key) AS keys, array_agg(weight ORDER BY key) AS weights,
            array_agg(is_rare ORDER BY key) AS rare, array_agg(first_use ORDER BY key) AS first_uses,
            array_agg(last_use ORDER BY key) AS last_uses
     FROM matched
   ), retrieved AS MATERIALIZED (
     SELECT ${identity}, ${index.ascending} AS terms, c.term_frequencies, ${lengthNorm('c')} AS norm,
            cardinality(c.terms) > ${longTextFactor} * (SELECT cardinality(keys) FROM known) AS is_long
     FROM (${texts}) AS c CROSS JOIN corpus
   ), held AS (
     SELECT ${own}, term, bool_or(admits) AS admits, round(max(score) * ${grid}) / ${grid} AS score, max(weight) AS weight
     FROM (
       SELECT ${own}, ${term('use')} AS term, ${admitsAlone('is_rare', 'use')} AS admits, score * ${weight('use')} AS score,
              weight * ${weight('use')} AS weight
       FROM (
         SELECT ${identity}, k.rare[c.place] AS is_rare, k.weights[c.place] AS weight,
                k.weights[c.place] * (1 - c.norm / (c.frequency + c.norm)) AS score,
                unnest(($6::int[])[k.first_uses[c.place]:k.last_uses[c.place]]) AS use
         FROM known k CROSS JOIN LATERAL (
           SELECT ${own}, norm, frequency, term, width_bucket(term, k.keys) AS place FROM (
             SELECT ${own}, norm, unnest(terms) AS term, unnest(term_frequencies) AS frequency FROM retrieved WHERE NOT is_long
           ) AS t ${optimizationFence}
         ) AS c WHERE k.keys[c.place] = c.term
       ) AS h
       UNION ALL
       SELECT ${identity}, u.term, u.admits,
              u.weight * (1 - c.norm / (c.term_frequencies[width_bucket(u.key, c.terms)] + c.norm)), u.weight
       FROM retrieved c CROSS JOIN LATERAL (
         SELECT * FROM used k WHERE c.terms[width_bucket(k.key, c.terms)] = k.key ${optimizationFence}
       ) AS u WHERE c.is_long
     ) AS h
     GROUP BY ${own}, term
   )`;
}
