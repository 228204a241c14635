import { analyzeQuery, type QueryTerm, requiredTerms } from './analyze-query.ts';
import { languageOf } from './key-languages.ts';
import { batchSize, firstBatchTerm, hashTerm, type TermSpace } from './projection.ts';
import { knownKeys, type LexicalTables, scoredTexts, textsWith } from './search-parts.ts';

/** Corpora of no more texts than this are searched whole: every text that holds a word is scored. */
export const maxWhole = 1_000;

/** Query terms, the rarest, of which each pair is looked up. Where there are more, single words are read besides. */
const maxPaired = 8;

/** Words, or pairs of words, that no more texts than this should hold together are rare: each text of theirs is scored. */
const maxRare = 300;

/** Texts that are scored of all common words, or of all common pairs: the newest. */
const maxNewest = 150;

/** Texts that are scored of all rare pairs, in case that words go together more often than chance has it: the newest. */
const maxOfPairs = 1_000;

/** Holders of a word up to which its list in the index is read whole. */
const maxListed = 4_000;

/** How far back common words are looked for, in texts. */
const maxDepth = 65_536;

/** By how much more than chance has it a search goes back for the newest of a common pair. */
const slack = 1.5;

/**
 * Common table expressions that find and score texts (spec 20 S6 to S8), for a statement whose first one is `scope`: one row
 * with `scope_key`, `total` (texts), `entered` (how often one was written), `average` (length) and `languages`, none where there is
 * nothing to search. The last one is `scored`: the identity of each admitted text and its `score`, best first. Parameters are
 * those of `lexicalParameters`. Formula: `bm25.ts`.
 *
 * This one is for corpora that are searched whole. The terms that most texts hold, one less than a text must hold, are not
 * read by: whatever is admitted holds another one.
 */
export function scoringOfFew(tables: LexicalTables): string {
  const candidates = textsWith(
    tables,
    `terms && (
       SELECT array_agg(key) FROM known WHERE ord NOT IN (
         SELECT ord FROM known GROUP BY ord ORDER BY sum(holders) DESC LIMIT $6::int - 1
       ))`,
  );
  return `${knownKeys(tables)}, ${scoredTexts(tables, candidates)}`;
}

/**
 * As `scoringOfFew`, for corpora of more than `maxWhole`, and queries for which `isPaired`.
 *
 * A text that must hold r of p terms holds two of any p - r + 2: so the rarest are read in pairs, which hardly any text holds.
 * That is every admitted text, so that a common word hides none, but for pairs that so many hold that the newest stand for
 * all: a search never grows with the corpus. A term whose keys are rare and common (an identifier and its parts) counts as
 * two here. All terms, and the score, are then decided on each row that was found.
 */
export function scoringOfPairs(tables: LexicalTables): string {
  return `${knownKeys(tables)}, ${termsAndPairs(tables, true)}, ${scoredTexts(tables, textsOfPairs(tables))}`;
}

/** As `scoringOfPairs`, for all queries: where one word is enough, or there are many, the rarest are read one by one, too. */
export function scoringOfMany(tables: LexicalTables): string {
  const { age } = tables;
  const candidates = `
     (${textsWith(tables, 'terms && (SELECT rare FROM single)')})
     UNION ALL
     (SELECT s.* FROM (SELECT common, depth FROM single WHERE depth IS NOT NULL) AS w
      CROSS JOIN LATERAL (SELECT (${newestBatches(tables, 'w.depth')}) AS terms) AS newest
      CROSS JOIN LATERAL (
        ${textsWith(tables, 'terms && w.common AND terms && newest.terms')} ORDER BY s.${age} DESC LIMIT ${maxNewest}
      ) AS s)
     UNION ALL
     (${textsOfPairs(tables)})`;
  return `${knownKeys(tables)}, ${termsAndPairs(tables)}, single AS MATERIALIZED (
     SELECT coalesce(array_agg(key) FILTER (WHERE is_rare), '{}') AS rare,
            coalesce(array_agg(key) FILTER (WHERE NOT is_rare), '{}') AS common,
            ${maxNewest} * (SELECT total FROM scope) / min(holders) FILTER (WHERE NOT is_rare) AS depth
     FROM term CROSS JOIN unnest(keys) AS key
     WHERE place <= present - $6::int + 1 AND ($6 = 1 OR present > ${maxPaired})
   ), ${scoredTexts(tables, candidates)}`;
}

/**
 * `term`: the known keys of each query term, the rare ones apart from the common ones, and its `place`, the rarest term first.
 * `pair`: each two of them that are read together, the common ones with the terms of the batches they are looked for in.
 */
function termsAndPairs(tables: LexicalTables, only = false): string {
  return `term AS MATERIALIZED (
     SELECT keys, holders, dense_rank() OVER (ORDER BY of_term, ord) AS place,
            ${only ? '' : `sum(holders) OVER (ORDER BY holders, ord) <= ${maxRare} AS is_rare,`}
            (SELECT count(DISTINCT ord) FROM known) AS present
     FROM (
       SELECT ord, array_agg(key) AS keys, sum(holders)::float8 AS holders,
              sum(sum(holders)) OVER (PARTITION BY ord) AS of_term
       FROM known GROUP BY ord, holders > ${maxRare}
     ) AS t
   ), pair AS (
     SELECT one, other, most, CASE WHEN is_deep
            THEN (${newestBatches(tables, `p.most * ${slack} * (SELECT total FROM scope) / p.holders`)}) ELSE one END AS newest
     FROM (
       SELECT *, CASE WHEN is_common THEN ${maxNewest} ELSE ${maxOfPairs} END / count(*) OVER (PARTITION BY is_common) AS most
       FROM (
         SELECT one.keys AS one, other.keys AS other, p.holders, p.is_deep,
                p.is_deep OR sum(p.holders) OVER (ORDER BY p.holders) > ${maxRare} AS is_common
         FROM scope CROSS JOIN term AS one JOIN term AS other ON one.place < other.place
         CROSS JOIN LATERAL (
           SELECT h AS holders, least(one.holders, other.holders) > ${maxListed} OR h > ${maxRare} AS is_deep
           FROM (SELECT one.holders * other.holders / total) AS chance(h)
         ) AS p
         WHERE other.place <= least(other.present - $6 + 2, ${maxPaired})
           ${only ? '' : `AND NOT ($6 = 1 AND (one.is_rare OR other.is_rare))`}
       ) AS p
     ) AS p
   )`;
}

function textsOfPairs(tables: LexicalTables): string {
  const both = textsWith(tables, 'terms && w.one AND terms && w.other AND terms && w.newest');
  return `SELECT s.* FROM pair AS w CROSS JOIN LATERAL (${both} ORDER BY s.${tables.age} DESC LIMIT w.most) AS s`;
}

/** The terms of the newest batches that hold `depth` texts together, as an array. Reads `scope`. */
function newestBatches({ terms, holders }: LexicalTables, depth: string): string {
  return `
  SELECT coalesce(array_agg(term), '{}') FROM (
    SELECT b.term, sum(b.${holders}) OVER (ORDER BY b.term DESC) - b.${holders} AS newer
    FROM scope s
    CROSS JOIN generate_series(0, (least(s.entered, ${maxDepth}, 4 * ${depth}) / ${batchSize})::int + 1) AS back
    CROSS JOIN LATERAL (
      SELECT t.term, t.${holders} FROM ${terms} t
      WHERE t.tenant_id = $1 AND t.scope_key = s.scope_key AND t.term = $7::bigint + s.entered / ${batchSize} - back
      OFFSET 0
    ) AS b
  ) AS batch WHERE newer < ${depth}`;
}

/** What a lexical search looks for. */
export interface LexicalQuery {
  tenantId: number;
  scopeId: string;
  /** Text, or what `analyzeQuery` makes of it. */
  query: string | readonly QueryTerm[];
  /** Most hits. */
  limit: number;
  /** How many of n query terms a text must hold; as S7 has it when left out. */
  required?: (n: number) => number;
}

/**
 * Values of a search's first nine parameters: tenant, Scope, query term, key and weight of each index term that is looked
 * for, how many query terms a text must hold, the term of batch 0, the limit, and the language of each index term.
 */
export function lexicalParameters(
  { tenantId, scopeId, query, limit, required = requiredTerms }: LexicalQuery,
  space: TermSpace,
  firstBatch = firstBatchTerm(space),
): unknown[] {
  const terms = termsOf(query);
  const keys = terms.flatMap((term, ord) =>
    term.keys.map((key, index) => ({ ord, key, weight: term.weights[index] })),
  );
  return [
    tenantId,
    scopeId,
    // Written here: the driver would look at each element.
    `{${keys.map(({ ord }) => ord).join(',')}}`,
    `{${keys.map(({ key }) => hashTerm(space, key)).join(',')}}`,
    `{${keys.map(({ weight }) => weight).join(',')}}`,
    required(terms.length),
    firstBatch,
    limit,
    `{${keys.map(({ key }) => languageOf(key)).join(',')}}`,
  ];
}

/** Whether a text must hold two terms of a query or more, and they are few enough to be read in pairs only. */
export function isPaired({ query, required = requiredTerms }: LexicalQuery): boolean {
  const { length } = termsOf(query);
  return required(length) > 1 && length <= maxPaired;
}

function termsOf(query: LexicalQuery['query']): readonly QueryTerm[] {
  return typeof query === 'string' ? analyzeQuery(query) : query;
}
