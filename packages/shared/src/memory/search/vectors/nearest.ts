import type { Sql } from '@continuity/shared/kernel';
import { readNearestByExtension } from './by-extension.ts';
import type { NearestAnswer, NearestQuery } from './channel.ts';
import { readNearestInProcess } from './in-process.ts';
import type { VectorSupport } from './support.ts';

/**
 * The vector channel (spec 20 S9): admitted active entries of all Memory Artifacts of a Scope by cosine similarity. `sql` is one
 * snapshot; without pgvector more than one statement reads it.
 */
export function readNearest(sql: Sql, support: VectorSupport, query: NearestQuery): Promise<NearestAnswer> {
  return support.hasExtension
    ? readNearestByExtension(sql, support, query)
    : readNearestInProcess(sql, support, query);
}
