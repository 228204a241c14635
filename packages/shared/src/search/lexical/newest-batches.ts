import { batchSize } from '../index/projection.ts';
import { maxBatches, maxDepth } from './limits.ts';
import { postingsOf, type TermIndex } from './term-index.ts';

/**
 * SQL for an array with the terms of the newest batches that together hold `depth` texts. Texts that were rewritten or
 * removed have left their batch, so the recursion skips batches that are empty.
 *
 * @param firstBatch SQL for the term of batch 0
 */
export function newestBatches(index: TermIndex, firstBatch: string, depth: string): string {
  const postings = postingsOf(index);
  return `
  WITH RECURSIVE batch AS (
    SELECT ${firstBatch} + c.entered / ${batchSize} + 1 AS term, 0::bigint AS reached, 0 AS nth,
           least(${maxDepth}, ${depth})::float8 AS depth
    FROM corpus c
    UNION ALL
    SELECT older.term, b.reached + older.texts, b.nth + 1, b.depth
    FROM batch b CROSS JOIN LATERAL (
      SELECT t.term, ${postings} AS texts FROM ${index.terms} t
      WHERE t.tenant_id = $1 AND t.scope_key = (SELECT scope_key FROM corpus)
        AND t.term >= ${firstBatch} AND t.term < b.term AND ${postings} > 0
      ORDER BY t.term DESC LIMIT 1
    ) AS older
    WHERE b.reached < b.depth AND b.nth < ${maxBatches}
  )
  SELECT coalesce(array_agg(term) FILTER (WHERE nth > 0), '{}') FROM batch`;
}
