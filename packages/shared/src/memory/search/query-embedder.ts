import { type Embedder, InferenceError, inferenceFailed } from '../../inference/index.ts';
import type { QueryEmbedder, QueryVector } from './query-vector.ts';
import { halvesOf, queryWindows } from './query-windows.ts';

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
      const { vectors, usage } = await embedder.embed(windows).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return embedder.embed(windows.flatMap(halvesOf));
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
        throw inferenceFailed(error, 'Search in mode auto or fts, or again later.');
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
