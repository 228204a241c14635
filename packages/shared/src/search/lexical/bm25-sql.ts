import { optimizationFence } from '@continuity/kernel/database';
import { admitsAlone, admitsText, isRareKey, maxRareTexts } from './admission.ts';
import { useSql } from './key-uses.ts';
import { identityOf, plainTerms, postingsOf, sizeOf, type TermIndex } from './term-index.ts';

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

/** The corpora that a statement searches. A statement for fewer corpora starts faster. */
interface SearchedSizes {
  /** Whether a corpus can be so small that texts with the same words count once (`admission.ts`). */
  mayBeTiny: boolean;
  /** Limit of texts that a search can find: no key of a larger corpus matches. */
  maxSize?: number;
}

/**
 * `matched`: the query keys that texts of the corpus hold, with document frequency (`df`), texts that a search can find (`postings`), idf weight, the places of their uses, and
 * whether they are rare. One index scan looks all keys up, because they ascend.
 */
export function matchedKeys(index: TermIndex, { mayBeTiny, maxSize }: SearchedSizes): string {
  const { terms, documentFrequency } = index;
  return `found AS (
     SELECT m.key, m.df, m.postings, ($4::int[])[m.place] AS first_use, ($5::int[])[m.place] AS last_use, ${maxRareTexts} AS max_rare,
            ${weightOf('c.total', 'm.df')} AS weight
     FROM corpus c CROSS JOIN LATERAL (
       SELECT t.term AS key, t.${documentFrequency} AS df, ${postingsOf(index)} AS postings, width_bucket(t.term, $3::bigint[]) AS place FROM ${terms} t
       WHERE t.tenant_id = $1 AND t.scope_key = c.scope_key AND t.term = ANY ($3::bigint[]) ${optimizationFence}
     ) AS m
     WHERE m.df > 0${maxSize === undefined ? '' : ` AND c.${sizeOf(index)} <= ${maxSize}`}
   ), matched AS (
     SELECT f.key, f.df, f.postings, f.first_use, f.last_use, f.weight, ${isRareKey(index, mayBeTiny)} AS is_rare FROM found f
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

/**
 * The columns of a text that `scoredTexts` reads.
 *
 * @param mayBeNegative whether the terms can be negative. Those of a text that a lookup found are not, unless it looks for negative terms.
 */
export function scoredColumns(index: TermIndex, alias: string, mayBeNegative: boolean): string {
  const terms = mayBeNegative ? `${plainTerms(alias)} AS terms` : `${alias}.terms`;
  return `${identityOf(index, alias)}, ${terms}, ${alias}.term_frequencies, ${alias}.length`;
}

/** The columns of a text that a lookup found: see `scoredColumns`. */
export function foundColumns(index: TermIndex, alias: string): string {
  return scoredColumns(index, alias, index.selection?.hasNegative ?? false);
}

/**
 * `scored`: identity and score of each of the given texts that a segment admits. Searches each text for each key of `used`, which it
 * follows, so it is for few keys. The order of `used` spares a sort for each text.
 *
 * @param texts SQL of texts, each once, with the columns of `scoredColumns`
 */
export function scoredByKey(index: TermIndex, texts: string): string {
  const terms = `
           SELECT segment, ${onGrid(`max(${keyScore('k')})`)} AS score, bool_or(admits) AS admits
           FROM used k WHERE ${holdsKey('k')} GROUP BY segment, term`;
  return `scored AS (
     SELECT ${identityOf(index, 'c')}, s.score
     FROM (${preparedTexts(index, texts)}) AS c CROSS JOIN LATERAL (${bestSegment(terms)}) AS s WHERE s.score IS NOT NULL
   )`;
}

/** `scored`, as by `scoredByKey`, for many keys: looks each term of a text up in them. */
export function scoredByTerm(index: TermIndex, texts: string): string {
  const { term, segmentOfTerm, weight } = useSql;
  // Sorted: a hash table for each text would take longer.
  const terms = `
           SELECT segment, ${onGrid('max(score)')} AS score, bool_or(admits) AS admits
           FROM (
             SELECT ${segmentOfTerm(term('use'))} AS segment, ${term('use')} AS term, score * ${weight('use')} AS score,
                    ${admitsAlone('is_rare', 'use')} AS admits
             FROM (
               SELECT k.rare[place] AS is_rare, k.weights[place] * (1 - c.norm / (frequency + c.norm)) AS score,
                      unnest(($6::int[])[k.first_uses[place]:k.last_uses[place]]) AS use
               FROM (
                 SELECT term, frequency, width_bucket(term, k.keys) AS place
                 FROM (SELECT unnest(c.terms) AS term, unnest(c.term_frequencies) AS frequency) AS t ${optimizationFence}
               ) AS t WHERE k.keys[place] = term
             ) AS u ORDER BY segment, term
           ) AS u GROUP BY segment, term`;
  return `${knownKeys}, scored AS (
     SELECT ${identityOf(index, 'c')}, s.score
     FROM known k CROSS JOIN (${preparedTexts(index, texts)}) AS c CROSS JOIN LATERAL (${bestSegment(terms)}) AS s WHERE s.score IS NOT NULL
   )`;
}

/** SQL for the score of a text: the largest sum of the terms of one segment that admits it, else null. `terms` has a row for each. */
function bestSegment(terms: string): string {
  return `
       SELECT max(score) AS score FROM (
         SELECT sum(score) AS score FROM (${terms}
         ) AS t GROUP BY segment HAVING ${admitsText}
       ) AS g`;
}

/** `known`: the matched keys as arrays, ascending. Hash joins are off (`session.ts`), so binary search looks a term up in them. */
const knownKeys = `known AS MATERIALIZED (
     SELECT array_agg(key ORDER BY key) AS keys, array_agg(weight ORDER BY key) AS weights,
            array_agg(is_rare ORDER BY key) AS rare, array_agg(first_use ORDER BY key) AS first_uses,
            array_agg(last_use ORDER BY key) AS last_uses
     FROM matched
   )`;

/** SQL of the texts of `scoredColumns` with ascending terms and their length normalization. Computes both once for each text. */
function preparedTexts(index: TermIndex, texts: string, further = ''): string {
  return `
       SELECT ${identityOf(index, 'c')}, ${index.ascending} AS terms, c.term_frequencies, ${lengthNorm('c')} AS norm${further}
       FROM (${texts}) AS c CROSS JOIN corpus ${optimizationFence}`;
}

/** SQL for whether the text `c` of `preparedTexts` holds a key of `used`. */
function holdsKey(used: string): string {
  return `c.terms[width_bucket(${used}.key, c.terms)] = ${used}.key`;
}

/** SQL for the score of a key of `used` in the text `c`, which holds it. */
function keyScore(used: string): string {
  return `${used}.weight * (1 - c.norm / (c.term_frequencies[width_bucket(${used}.key, c.terms)] + c.norm))`;
}

/** SQL for a score as a multiple of the grid. */
function onGrid(score: string): string {
  return `round(${score} * ${grid}) / ${grid}`;
}

/** `used`: each matched key in each term that has it. */
export const usedKeys = `used AS MATERIALIZED (
     SELECT key, df, ${useSql.segmentOfTerm(useSql.term('use'))} AS segment, ${useSql.term('use')} AS term,
            ${admitsAlone('is_rare', 'use')} AS admits, weight * ${useSql.weight('use')} AS weight
     FROM matched CROSS JOIN LATERAL unnest(($6::int[])[first_use:last_use]) AS use
     ORDER BY segment, term
   )`;

/**
 * `held`, after `usedKeys`: the terms of each segment that a text holds, with the score and the weight of each. Keys of one term count
 * once. A text with many more terms than there are keys is searched for the keys; the terms of another one are looked up in them.
 *
 * @param texts SQL of texts, each once, with the columns of `scoredColumns`
 */
export function heldTerms(index: TermIndex, texts: string): string {
  const identity = identityOf(index, 'c');
  const own = index.identity.join(', ');
  const { term, weight } = useSql;
  const isLong = `, cardinality(c.terms) > ${longTextFactor} * (SELECT cardinality(keys) FROM known) AS is_long`;
  return `${knownKeys}, retrieved AS (${preparedTexts(index, texts, isLong)}
   ), held AS (
     SELECT ${own}, term, bool_or(admits) AS admits, ${onGrid('max(score)')} AS score, max(weight) AS weight
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
       SELECT ${identity}, u.term, u.admits, ${keyScore('u')}, u.weight
       FROM retrieved c CROSS JOIN LATERAL (SELECT * FROM used k WHERE ${holdsKey('k')} ${optimizationFence}) AS u WHERE c.is_long
     ) AS h
     GROUP BY ${own}, term
   )`;
}
