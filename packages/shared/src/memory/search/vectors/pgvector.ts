import type { Sql } from '@continuity/kernel/database';
import { exactLimit } from '../../../search/index.ts';
import { type EntryKey, keyOf, type ScoresByEntry } from '../entry-key.ts';
import type { NearestAnswer, NearestQuery } from './channel.ts';
import { nearestStatement, scoreStatement } from './pgvector-statements.ts';
import type { VectorSupport } from './support.ts';

/** The nearest entries by pgvector, in one statement. */
export async function readNearestByPgvector(
  sql: Sql,
  { profileKey, indexed }: VectorSupport,
  { tenantId, scopeId, vector, limit, onlyIfCovered }: NearestQuery,
): Promise<NearestAnswer> {
  const nearest = nearestStatement(vector.profile.dimension, indexed === null ? null : profileKey);
  const rows = await sql.rows(nearest, [
    tenantId,
    scopeId,
    profileKey,
    onlyIfCovered,
    vectorText(vector.values),
    limit,
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
  const rows = await sql.rows(scoreStatement(vector.profile.dimension), [
    tenantId,
    scopeId,
    profileKey,
    entries.map(({ artifact_key }) => artifact_key),
    entries.map(({ entry_id }) => entry_id),
    vectorText(vector.values),
  ]);
  return new Map(rows.map((row) => [keyOf(row), row.score]));
}

function vectorText(values: Float32Array): string {
  return `[${values.join(',')}]`;
}
