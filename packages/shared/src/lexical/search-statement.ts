import {
  maxNewest,
  maxPaired,
  newestBatches,
  termsAndPairs,
  textsOfEnoughPairs,
  textsOfNeededPairs,
  textsOfPairs,
} from './search-pairs.ts';
import { knownKeys, type LexicalTables, scoredTexts, textsWith } from './search-parts.ts';

/** Corpora of no more texts than this are searched whole: every text that holds a word is scored. */
export const maxWhole = 1_000;

/**
 * Common table expressions that find and score texts (spec 20 S6 to S8), for a statement whose first one is `scope`: one row
 * with `scope_key`, `total` (texts), `entered` (how often one was written), `average` (length) and `languages`, none where
 * there is nothing to search. The last one is `scored`: the identity of each admitted text and its `score`, best first.
 * Parameters are those of `lexicalParameters`. Formula: `bm25.ts`.
 *
 * This one is for corpora that are searched whole. The terms that most texts hold, one less than a text must hold, are not
 * read by: whatever is admitted holds another one.
 */
export function scoringOfFew(tables: LexicalTables): string {
  const candidates = textsWith(
    tables,
    `terms && (
       SELECT array_agg(key) FROM asked WHERE ord NOT IN (
         SELECT ord FROM asked WHERE nth = 1 ORDER BY of_term DESC LIMIT $6::int - 1
       ))`,
  );
  return `${knownKeys(tables)}, ${scoredTexts(tables, candidates)}`;
}

/**
 * As `scoringOfFew`, for corpora of more than `maxWhole`, and queries for which `isPaired`.
 *
 * A text that must hold r of p terms holds two of any p - r + 2: so the rarest are read in pairs, which hardly any text holds.
 * That is every admitted text, so that a common word hides none, with two exceptions, by which a search never grows with the
 * corpus: of pairs that very many hold the newest stand for all, and pairs with the commonest term are spared while others
 * have enough. A term whose keys are rare and common (an identifier and its parts) counts as two here. All terms, and the
 * score, are then decided on each row that was found.
 */
export function scoringOfPairs(tables: LexicalTables): string {
  const pairs = `${termsAndPairs(true)}, ${textsOfNeededPairs(tables)}`;
  return `${knownKeys(tables)}, ${pairs}, ${scoredTexts(tables, textsOfEnoughPairs(tables))}`;
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
  return `${knownKeys(tables)}, ${termsAndPairs(false)}, single AS MATERIALIZED (
     SELECT coalesce(array_agg(key) FILTER (WHERE is_rare), '{}') AS rare,
            coalesce(array_agg(key) FILTER (WHERE NOT is_rare), '{}') AS common,
            ${maxNewest} * (SELECT total FROM scope) / min(holders) FILTER (WHERE NOT is_rare) AS depth
     FROM term CROSS JOIN unnest(keys) AS key
     WHERE place <= present - $6::int + 1 AND ($6 = 1 OR present > ${maxPaired})
   ), ${scoredTexts(tables, candidates)}`;
}
