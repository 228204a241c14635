import { normalizeText, type ServiceError, serviceError } from '@continuity/shared/kernel';
import type { EmbeddingProfile, ModelUsage } from '../../inference/index.ts';
import { AnalyzedQuery } from '../../search/index.ts';
import type { QueryEmbedder } from './deps.ts';

export type SearchMode = 'auto' | 'fts' | 'vector' | 'hybrid';

/** A query as the channels read it: good for any number of Scopes of one deployment. */
export interface ReadQuery {
  /** As asked: `auto` is decided for each Scope by itself (spec 20 S4). */
  mode: SearchMode;
  /** The normalized text (S2). */
  text: string;
  words: AnalyzedQuery;
  /** Null where the mode has no vector channel, or `auto` could not embed. */
  vector: QueryVector | null;
}

/** A query in the vector space of an embedding profile. */
export interface QueryVector {
  profile: EmbeddingProfile;
  /** Unit length, of the profile's dimension. */
  values: Float32Array;
  /** What the model call used: to be counted once, whatever the number of Scopes (spec 20 T6). */
  usage: ModelUsage;
}

/**
 * Reads a query: its words and, where the mode wants it, its embedding. Asks no database. `embedder` is null where no
 * profile was accepted: then `vector` and `hybrid` are 422 `capability_not_supported` (spec 20 S4). An embedding that fails
 * is 503 `inference_*` for these two, and makes `auto` lexical.
 */
export async function readQuery(
  embedder: QueryEmbedder | null,
  { query, mode }: { query: string; mode: SearchMode },
): Promise<ReadQuery> {
  const text = normalizeText(query);
  return { mode, text, words: new AnalyzedQuery(text), vector: await vectorOf(embedder, text, mode) };
}

async function vectorOf(
  embedder: QueryEmbedder | null,
  text: string,
  mode: SearchMode,
): Promise<QueryVector | null> {
  if (mode === 'fts' || (mode === 'auto' && embedder === null)) return null;
  if (embedder === null) throw notSupported(mode);
  if (mode === 'auto') return await embedder.tryEmbedQuery(text);
  return await embedder.embedQuery(text);
}

/** The capability is checked before anything is read, so that an empty Scope answers the same. */
function notSupported(mode: SearchMode): ServiceError {
  return serviceError('capability_not_supported', {
    message: `This deployment has no embedding model and cannot search in mode ${mode}. Use auto or fts.`,
    details: { capability: mode },
  });
}
