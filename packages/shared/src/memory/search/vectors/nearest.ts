import type { Sql } from '@continuity/kernel/database';
import type { EntryKey, ScoresByEntry } from '../entry-key.ts';
import type { NearestAnswer, NearestQuery } from './channel.ts';
import { readNearestInProcess, scoreInProcess } from './in-process.ts';
import { readNearestByPgvector, scoreByPgvector } from './pgvector.ts';
import type { VectorSupport } from './support.ts';

/**
 * The vector channel (spec 20 S9): admitted active entries of all Memory Artifacts of a Scope by cosine similarity. `sql`
 * is one snapshot; without pgvector several statements read it.
 */
export function readNearest(sql: Sql, support: VectorSupport, query: NearestQuery): Promise<NearestAnswer> {
  return support.hasPgvector
    ? readNearestByPgvector(sql, support, query)
    : readNearestInProcess(sql, support, query);
}

/** The cosine similarity of given active entries, also below the admission limit. An entry without a vector has no score. */
export async function scoreByVector(
  sql: Sql,
  support: VectorSupport,
  query: NearestQuery,
  entries: readonly EntryKey[],
): Promise<ScoresByEntry> {
  if (entries.length === 0) return new Map();
  const score = support.hasPgvector ? scoreByPgvector : scoreInProcess;
  return await score(sql, support, query, entries);
}
