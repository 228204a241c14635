import { optimizationFence } from '@continuity/kernel/database';
import { useSql } from './query-keys.ts';
import { identityOf, type TermIndex } from './term-index.ts';

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

/** A key is rare if its document frequency is at most the larger of this number and this share of all texts: it admits a text by itself (spec 25 Q4). */
const rareTexts = 3;
const rareShare = 50;

/**
 * Scores are multiples of 2^-32. Sums of such numbers are exact, so equal matches have equal scores in whatever order a plan adds
 * them up.
 */
const grid = 2 ** 32;

/** A text with more terms than this for each query key is searched for the keys, instead of joining its terms with them. */
const longTextFactor = 2.5;

/**
 * `matched`: the query keys that texts of the corpus hold, with document frequency (`df`), idf weight, and the places of their uses.
 * Most keys are forms of words in languages that the corpus does not have; the mask filters them out before any lookup.
 */
export function matchedKeys({ terms, documentFrequency }: TermIndex): string {
  return `matched AS MATERIALIZED (
     SELECT q.key, m.df, m.df <= greatest(${rareTexts}, c.total / ${rareShare}) AS is_rare, q.first_use, q.last_use,
            ${k1 + 1} * ln(1 + (c.total - m.df + 0.5::float8) / (m.df + 0.5::float8)) AS weight
     FROM corpus c CROSS JOIN LATERAL (
       SELECT q.key, q.first_use, q.last_use
       FROM unnest($3::bigint[], $4::int[], $5::int[], $6::int[]) AS q(key, language, first_use, last_use)
       WHERE q.language & c.languages = q.language ${optimizationFence}
     ) AS q CROSS JOIN LATERAL (
       SELECT t.${documentFrequency} AS df FROM ${terms} t
       WHERE t.tenant_id = $1 AND t.scope_key = c.scope_key AND t.term = q.key ${optimizationFence}
     ) AS m
     WHERE m.df > 0
   )`;
}

/**
 * The texts that `condition` finds through the GIN index on terms. Hashed terms belong to one corpus, so the index alone
 * selects its texts; OFFSET 0 keeps the planner from using another index for tenant and Scope.
 */
export function textsWith(index: TermIndex, columns: string, condition: string): string {
  return `
  SELECT ${columns}
  FROM (SELECT * FROM ${index.texts} WHERE ${condition} ${optimizationFence}) AS s
  WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM corpus)`;
}

/** SQL for the length normalization of a row of `texts`, which has `corpus` beside it. */
export function lengthNorm(alias: string): string {
  return `${k1} * (${1 - b} + ${b}::float8 * ${alias}.length / corpus.average)`;
}

/** The columns of a text that `scoredTexts` reads. */
export function scoredColumns(index: TermIndex, alias: string): string {
  return `${identityOf(index, alias)}, ${alias}.terms, ${alias}.term_frequencies, ${alias}.length`;
}

/**
 * `scored`: identity and score of each candidate that a segment admits.
 *
 * - `known`: the matched keys as arrays. Binary search (`width_bucket`) joins terms and keys: hash joins are off (`planner.ts`).
 * - `held_key`: the query keys that a candidate holds. The terms of a short text are looked up among the keys; the keys, in a long one.
 * - `held`: the terms of each segment that it holds. Keys of one term count once.
 *
 * @param candidates each text once, with the columns of `scoredColumns`
 */
export function scoredTexts(index: TermIndex, candidates: string): string {
  const identity = identityOf(index, 'c');
  const own = index.identity.join(', ');
  const { term, segmentOfTerm, isOnly, weight } = useSql;
  return `known AS MATERIALIZED (
     SELECT array_agg(key ORDER BY key) AS keys, array_agg(weight ORDER BY key) AS weights,
            array_agg(is_rare ORDER BY key) AS rare, array_agg(first_use ORDER BY key) AS first_uses,
            array_agg(last_use ORDER BY key) AS last_uses
     FROM matched
   ), candidate AS MATERIALIZED (
     SELECT ${identity}, ${index.ascending} AS terms, c.term_frequencies,
            ${lengthNorm('c')} AS norm,
            cardinality(c.terms) > ${longTextFactor} * (SELECT cardinality(keys) FROM known) AS is_long
     FROM (${candidates}) AS c CROSS JOIN corpus
   ), held_key AS (
     SELECT ${identity}, k.rare[c.place] AS is_rare, k.weights[c.place] * (1 - c.norm / (c.frequency + c.norm)) AS score,
            unnest(($7::int[])[k.first_uses[c.place]:k.last_uses[c.place]]) AS use
     FROM known k CROSS JOIN LATERAL (
       SELECT ${own}, norm, frequency, term, width_bucket(term, k.keys) AS place FROM (
         SELECT ${own}, norm, unnest(terms) AS term, unnest(term_frequencies) AS frequency FROM candidate WHERE NOT is_long
       ) AS t ${optimizationFence}
     ) AS c WHERE k.keys[c.place] = c.term
     UNION ALL
     SELECT ${identity}, k.is_rare, k.weight * (1 - c.norm / (c.term_frequencies[p.place] + c.norm)),
            unnest(($7::int[])[k.first_use:k.last_use])
     FROM candidate c CROSS JOIN matched k CROSS JOIN LATERAL (SELECT width_bucket(k.key, c.terms) AS place ${optimizationFence}) AS p
     WHERE c.is_long AND c.terms[p.place] = k.key
   ), held AS (
     SELECT ${own}, ${term('use')} AS term, bool_or(is_rare OR ${isOnly('use')}) AS admits,
            round(max(score * ${weight('use')}) * ${grid}) / ${grid} AS score
     FROM held_key GROUP BY ${own}, ${term('use')}
   ), scored AS (
     SELECT ${own}, max(score) AS score FROM (
       SELECT ${own}, sum(score) AS score FROM held
       GROUP BY ${own}, ${segmentOfTerm('term')} HAVING count(*) >= $8::int OR bool_or(admits)
     ) AS s GROUP BY ${own}
   )`;
}
