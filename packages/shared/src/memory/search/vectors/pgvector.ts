import type { Sql } from '@continuity/kernel/database';
import { exactLimit } from '../../../search/index.ts';
import { type EntryKey, keyOf, type ScoresByEntry } from '../entry-key.ts';
import type { NearestAnswer, NearestQuery } from './channel.ts';
import { nearestAsOfStatement, nearestStatement, scoreStatement } from './pgvector-statements.ts';
import type { VectorSupport } from './support.ts';

/** The nearest entries by pgvector: one statement for each window of the query, sent at once. */
export async function readNearestByPgvector(
  sql: Sql,
  support: VectorSupport,
  query: NearestQuery,
): Promise<NearestAnswer> {
  const { windows } = query.vector;
  const answers = await Promise.all(windows.map((window) => readNearestTo(window, sql, support, query)));
  const [first] = answers;
  if (first === undefined) throw new Error('The query has no window.');
  if (answers.length === 1) return first;
  // An entry can be nearer to a window whose hits it is not among.
  const hits = [...new Map(answers.flatMap(({ hits }) => hits).map((hit) => [keyOf(hit), hit])).values()];
  const scores = await scoreByPgvector(sql, support, query, hits);
  const scored = hits.map((hit) => ({ ...hit, score: scores.get(keyOf(hit)) ?? hit.score }));
  scored.sort((left, right) => right.score - left.score || right.revision - left.revision);
  return { ...first, hits: scored.slice(0, query.limit) };
}

async function readNearestTo(
  window: Float32Array,
  sql: Sql,
  { profileKey, indexed, scale }: VectorSupport,
  { tenantId, scopeId, vector, limit, onlyIfCovered, asOf }: NearestQuery,
): Promise<NearestAnswer> {
  const { dimension } = vector.profile;
  const place = [tenantId, scopeId, profileKey, onlyIfCovered];
  const values = [...place, vectorText(window), limit, 1 - scale.minSimilarity];
  const rows = asOf
    ? await sql.rows(nearestAsOfStatement(dimension), [...values, asOf])
    : await sql.rows(nearestStatement(dimension, indexed === null ? null : profileKey), [
        ...values,
        ...(indexed === null ? [] : [exactLimit(indexed, limit)]),
      ]);
  const [first] = rows;
  return {
    headRevision: first?.scope_revision ?? null,
    ran: first?.runs ?? true,
    hits: rows.filter((row) => row.entry_id !== null),
  };
}

/** The cosine similarity of given entries by pgvector. */
export async function scoreByPgvector(
  sql: Sql,
  { profileKey }: VectorSupport,
  { tenantId, scopeId, vector }: NearestQuery,
  entries: readonly EntryKey[],
): Promise<ScoresByEntry> {
  const keys = [entries.map(({ artifact_key }) => artifact_key), entries.map(({ entry_id }) => entry_id)];
  const statement = scoreStatement(vector.profile.dimension);
  const answers = await Promise.all(
    vector.windows.map((window) =>
      sql.rows(statement, [tenantId, scopeId, profileKey, ...keys, vectorText(window)]),
    ),
  );
  const scores = new Map<string, number>();
  for (const row of answers.flat()) scores.set(keyOf(row), Math.max(row.score, scores.get(keyOf(row)) ?? -1));
  return scores;
}

function vectorText(values: Float32Array): string {
  return `[${values.join(',')}]`;
}
