import {
  type Embedder,
  type EmbeddingProfile,
  InferenceError,
  inferenceFailed,
  type ModelUsage,
} from '../../inference/index.ts';
import { halvesOf, queryWindows } from './query-windows.ts';

/** A query in the vector space of an embedding profile. An entry is as near to it as to its nearest window. */
export interface QueryVector {
  profile: EmbeddingProfile;
  /** One vector for each window of the query, at least one: unit length, of the profile's dimension (spec 25 Q8). */
  windows: readonly Float32Array[];
  /** Tokens of the model call; null if it is not counted. Counted once for all Scopes of a search (spec 20 T6). */
  usage: ModelUsage | null;
}

/** Embeds queries with the profile that this process has accepted. */
export interface QueryEmbedder {
  /** @throws 503 `inference_unavailable` or `inference_timeout` */
  embedQuery(text: string): Promise<QueryVector>;
  /** As `embedQuery`, but answers null on failure: for searches that can do without a vector. */
  tryEmbedQuery(text: string): Promise<QueryVector | null>;
}

const adviceOfOutage = 'Search in mode auto or fts, or again later.';

/** The same query would be refused again, so the caller is told to change it. */
const adviceOfRefusal =
  'The query can be too long for the window of the embedding model. Shorten it, or search in mode auto or fts.';

/** Pause of `tryEmbedQuery` after the endpoint failed to answer. */
const pauseMs = 2_000;

/**
 * Embeds queries with `embedder`. While the endpoint does not answer, `tryEmbedQuery` backs off: otherwise each search in
 * mode `auto` would wait for the time limit before it runs without a vector.
 */
export function createQueryEmbedder(embedder: Embedder): QueryEmbedder {
  const { profile } = embedder;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  async function embed(text: string): Promise<QueryVector> {
    try {
      const windows = queryWindows(text);
      const { vectors, usage } = await embedder.embed(windows, 'query').catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return embedder.embed(windows.flatMap(halvesOf), 'query');
      });
      const usable = vectors.filter((vector) => vector !== null);
      if (usable.length === 0) throw new InferenceError('invalid_output', 'The model gave no usable vector.');
      pausedUntil = Number.NEGATIVE_INFINITY;
      return { profile, windows: usable, usage };
    } catch (error) {
      if (isOutage(error)) pausedUntil = performance.now() + pauseMs;
      throw error;
    }
  }

  return {
    async embedQuery(text) {
      try {
        return await embed(text);
      } catch (error) {
        if (!(error instanceof InferenceError)) throw error;
        throw inferenceFailed(error, isRefusal(error) ? adviceOfRefusal : adviceOfOutage);
      }
    },
    async tryEmbedQuery(text) {
      if (performance.now() < pausedUntil) return null;
      try {
        return await embed(text);
      } catch (error) {
        if (error instanceof InferenceError) return null;
        throw error;
      }
    },
  };
}

/** Whether the endpoint refused the text, which can be too long for the model. */
function isRefusal(error: unknown): boolean {
  return error instanceof InferenceError && error.reason === 'refused' && error.canBeInputFault;
}

function isOutage(error: unknown): boolean {
  return error instanceof InferenceError && ['timeout', 'unreachable'].includes(error.reason);
}
