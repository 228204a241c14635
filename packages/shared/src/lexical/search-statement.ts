import { maxNewest, maxPaired } from './reading-limits.ts';
import { newestBatches, termsAndPairs, textsOfPairs } from './search-pairs.ts';
import { eachOnce, knownKeys, type LexicalTables, scoredTexts, textsWith } from './search-parts.ts';

/**
 * Common table expressions that find and score texts (spec 20 S6 to S8), for a statement whose first one is `scope`: one row
 * with `scope_key`, `total` (texts), `entered` (how often one was written), `average` (length) and `languages`, none where
 * there is nothing to search. The last one is `scored`: the identity of each admitted text and its `score`.
 * Parameters are those of `lexicalParameters`. Formula: `bm25.ts`.
 *
 * This one is for corpora that are searched whole. The terms that most texts hold, one less than a text must hold, are not
 * read by: whatever is admitted holds another one.
 *
 * @param where a condition without which nothing is read
 */
export function scoringOfFew(tables: LexicalTables, where = 'true'): string {
  const candidates = textsWith(
    tables,
    `terms && (
       SELECT array_agg(key) FROM asked WHERE ord NOT IN (
         SELECT ord FROM asked WHERE is_first ORDER BY of_term DESC LIMIT $6::int - 1
       ))`,
    where,
  );
  return `${knownKeys(tables)}, ${scoredTexts(tables, candidates)}`;
}

/**
 * As `scoringOfFew`, for corpora of more than `maxWhole`, and for all queries: what is read is decided by the statement itself,
 * much as `planReading` has it. But where one word is enough, or there are many, the rarest are read one by one, too; no pair is
 * spared; and the pairs with a word have a limit of their own, so that none takes the place of another.
 */
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
  return `${knownKeys(tables)}, ${termsAndPairs}, single AS MATERIALIZED (
     SELECT coalesce(array_agg(key) FILTER (WHERE is_rare), '{}') AS rare,
            coalesce(array_agg(key) FILTER (WHERE NOT is_rare), '{}') AS common,
            ${maxNewest} * (SELECT total FROM scope) / min(holders) FILTER (WHERE NOT is_rare) AS depth
     FROM term CROSS JOIN unnest(keys) AS key
     WHERE place <= present - $6::int + 1 AND ($6 = 1 OR present > ${maxPaired})
   ), ${scoredTexts(tables, eachOnce(tables, candidates))}`;
}
