import { codePointLength } from '@continuity/contract';
import { maxQueryCharacters } from '@continuity/contract/memory';
import { invalidRequest, type ServiceError, serviceError } from '@continuity/kernel/errors';
import { normalizeText } from '@continuity/kernel/text';
import { AnalyzedQuery } from '../../search/index.ts';
import type { QueryEmbedder, QueryVector } from './query-embedder.ts';

export type SearchMode = 'auto' | 'fts' | 'vector' | 'hybrid';

/** A query that is analyzed and embedded, for searches of any number of Scopes. */
export interface ParsedQuery {
  /** The requested mode: each Scope decides `auto` by itself (spec 20 S4). */
  mode: SearchMode;
  /** The normalized text (spec 20 S2). */
  text: string;
  words: AnalyzedQuery;
  /** Null if the mode has no vector channel, or if `auto` could not embed. */
  vector: QueryVector | null;
}

/**
 * Analyzes a query and embeds it if the mode has a vector channel. Reads no database. If the embedding fails, `auto`
 * searches by words.
 *
 * @param embedder null if no profile was accepted
 * @throws 422 `invalid_request` for a query that is too long after normalization, 422 `capability_not_supported` for `vector` and
 *   `hybrid` without an embedder, 503 `inference_*` if the embedding fails (spec 20 S4)
 */
export async function parseQuery(
  embedder: QueryEmbedder | null,
  { query, mode }: { query: string; mode: SearchMode },
): Promise<ParsedQuery> {
  const text = normalizeText(query);
  if (codePointLength(text) > maxQueryCharacters) {
    const message = `must have 1 to ${maxQueryCharacters} characters after normalization`;
    throw invalidRequest([{ path: 'query', message }]);
  }
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

/** Thrown before any read, so that an empty Scope answers the same. */
function notSupported(mode: SearchMode): ServiceError {
  return serviceError('capability_not_supported', {
    message: `This deployment has no embedding model and cannot search in mode ${mode}. Use auto or fts.`,
    details: { capability: mode },
  });
}
