import { column, deploymentStatement, type Sql, tables } from '@continuity/kernel/database';
import type { EmbeddingProfile } from '../../../inference/index.ts';
import { type CosineScale, cosineScaleOf, indexName, isWithoutPgvector } from '../../../search/index.ts';
import { vectorTable } from './channel.ts';

/** The support of this database for vectors of a profile. */
export interface VectorSupport {
  /** Null until a worker has embedded into the profile. */
  profileKey: number | null;
  /** How to read cosines of the profile (spec 26 S9). */
  scale: CosineScale;
  /** Whether the extension pgvector is installed in the search path. */
  hasPgvector: boolean;
  /** About how many vectors the HNSW index of the profile holds; null if there is none. */
  indexed: number | null;
}

/** Time to live of a cached value, in milliseconds. A search need not use a new index at once. */
const cacheMs = 10_000;

/** Time to live of a profile without key or baseline, in milliseconds. Shorter, because the worker that adds them may be starting. */
const cacheIncompleteMs = 500;

const selectSupport = deploymentStatement(
  'read_vector_support',
  `SELECT p.profile_key, p.baseline, NOT (${isWithoutPgvector}) AS has_pgvector,
     (SELECT c.reltuples::float8 FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.oid = to_regclass('${indexName(vectorTable, '')}' || p.profile_key) AND i.indisvalid) AS indexed
   FROM (VALUES (true)) AS one LEFT JOIN embedding_profiles p
     ON p.profile_id = $1 AND p.model = $2 AND p.dimension = $3`,
  {
    profile_key: tables.embedding_profiles.profile_key.orNull(),
    baseline: tables.embedding_profiles.baseline,
    has_pgvector: column.boolean,
    indexed: column.double.orNull(),
  },
);

/** Caches what the database supports, for ten seconds by profile. */
export class VectorSupportCache {
  readonly #cached = new Map<string, { support: VectorSupport; until: number }>();

  async read(sql: Sql, { profileId, model, dimension, scale }: EmbeddingProfile): Promise<VectorSupport> {
    const key = JSON.stringify([profileId, model, dimension]);
    const cached = this.#cached.get(key);
    if (cached !== undefined && performance.now() < cached.until) return cached.support;
    const row = await sql.first(selectSupport, [profileId, model, dimension]);
    const baseline = row?.baseline ?? null;
    const support = {
      profileKey: row?.profile_key ?? null,
      scale: scale ?? cosineScaleOf(baseline ?? 0),
      hasPgvector: row?.has_pgvector ?? false,
      indexed: row?.indexed ?? null,
    };
    const isComplete = support.profileKey !== null && (scale !== undefined || baseline !== null);
    const forMs = isComplete ? cacheMs : cacheIncompleteMs;
    this.#cached.set(key, { support, until: performance.now() + forMs });
    return support;
  }
}
