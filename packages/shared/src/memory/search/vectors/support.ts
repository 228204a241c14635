import { type Sql, statement } from '@continuity/shared/kernel';
import type { EmbeddingProfile } from '../../../inference/index.ts';

/** What this database has for vectors of a profile. */
export interface VectorSupport {
  /** Null as long as no worker has embedded into the profile. */
  profileKey: number | null;
  /** Whether the extension pgvector is there, in reach of the search path. */
  hasExtension: boolean;
  /** How many vectors the profile's HNSW index holds, about; null where there is none. */
  indexed: number | null;
}

/** For how long a process takes one answer for true: an index appears, and nobody waits for it. */
const keptMs = 10_000;

/** As long as there is no profile, its worker may be starting. */
const keptWithoutProfileMs = 500;

/** Name of the HNSW index of a profile. */
export function indexName(profileKey: number): string {
  return `memory_embeddings_hnsw_${profileKey}`;
}

const selectSupport = statement(
  'read_vector_support',
  `SELECT p.profile_key, to_regtype('vector') IS NOT NULL AS has_extension,
     (SELECT c.reltuples::float8 FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.oid = to_regclass('${indexName(0).slice(0, -1)}' || p.profile_key) AND i.indisvalid) AS indexed
   FROM (VALUES (true)) AS one LEFT JOIN embedding_profiles p
     ON p.profile_id = $1 AND p.model = $2 AND p.dimension = $3`,
);

interface SupportRow {
  profile_key: number | null;
  has_extension: boolean;
  indexed: number | null;
}

/** Asks what the database has, at most once in ten seconds for each profile. */
export class VectorSupportCache {
  readonly #known = new Map<string, { support: VectorSupport; until: number }>();

  async read(sql: Sql, { profileId, model, dimension }: EmbeddingProfile): Promise<VectorSupport> {
    const key = JSON.stringify([profileId, model, dimension]);
    const known = this.#known.get(key);
    if (known !== undefined && performance.now() < known.until) return known.support;
    const row = await sql.first<SupportRow>(selectSupport, [profileId, model, dimension]);
    const support = {
      profileKey: row?.profile_key ?? null,
      hasExtension: row?.has_extension ?? false,
      indexed: row?.indexed ?? null,
    };
    const forMs = support.profileKey === null ? keptWithoutProfileMs : keptMs;
    this.#known.set(key, { support, until: performance.now() + forMs });
    return support;
  }
}
