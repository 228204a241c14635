import {
  builtinProfile,
  type EmbedAnswer,
  type EmbedRequest,
  embedPath,
  maxEmbedTextBytes,
} from '@continuity/contract/embedder';
import { failureOf, InferenceError } from './errors.ts';
import { limitedFetch } from './limited-fetch.ts';
import { type Embedder, type EmbeddingInput, observeRequest } from './model-endpoint.ts';
import { toUnitVector } from './unit-vector.ts';

/** Where the cosines of unrelated texts end with this model, and from which one on an entry is found (spec 26 S13). */
const scale = { baseline: 0.2, minSimilarity: 0.25 };

/** Limit of the texts of one request. A text of 8 KB takes 0.3 s of a core. */
const batchTexts = 16;

interface BuiltinOptions {
  /** Address of the embedder. */
  url: string;
  /** Time limit of one request. */
  timeoutMs: number;
}

/** An embedder over the process with the built-in model. */
export function createBuiltinEmbedder(options: BuiltinOptions): Embedder {
  const { dimension } = builtinProfile;
  const embedOnce = async (texts: string[], input: EmbeddingInput, signal?: AbortSignal) => {
    const answer = await observeRequest({}, () => request(options, texts, input, signal));
    return answer.data.map(({ embedding }) => toUnitVector(embedding, dimension));
  };
  const embedPassages = splitOnTimeout((texts, signal) => embedOnce(texts, 'passage', signal));
  return {
    profile: { ...builtinProfile, scale },
    // The few windows of a query are one request. Its caller waits, so a time-out is final.
    embed: async (texts, input, signal) => ({
      vectors: input === 'query' ? await embedOnce(texts, input, signal) : await embedPassages(texts, signal),
      usage: null,
    }),
  };
}

type EmbedPassages = (texts: string[], signal?: AbortSignal) => Promise<(Float32Array | null)[]>;

/**
 * Embeds texts by requests of at most `batchTexts`. Beside busy processes, a text can take a hundred times its processor time: one that
 * times out is sent again by halves, and the next requests are as small. Otherwise the same batch would time out for ever.
 */
function splitOnTimeout(embed: EmbedPassages): EmbedPassages {
  let size = batchTexts;
  return async (texts, signal) => {
    const vectors: (Float32Array | null)[] = [];
    while (vectors.length < texts.length) {
      const batch = texts.slice(vectors.length, vectors.length + size);
      try {
        vectors.push(...(await embed(batch, signal)));
      } catch (error) {
        const isTimeout = error instanceof InferenceError && error.reason === 'timeout';
        if (!isTimeout || signal?.aborted || batch.length === 1) throw error;
        size = Math.min(size, Math.ceil(batch.length / 2));
      }
    }
    // Not after each request: one text more than fits takes the whole time limit in vain.
    size = Math.min(size + 1, batchTexts);
    return vectors;
  };
}

/** @throws {InferenceError} */
async function request(
  { url, timeoutMs }: BuiltinOptions,
  texts: readonly string[],
  input: EmbeddingInput,
  signal: AbortSignal | undefined,
): Promise<EmbedAnswer> {
  const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
  const body: EmbedRequest = { input: texts.map(cutText), input_type: input };
  try {
    const response = await limitedFetch(`${url.replace(/\/$/, '')}${embedPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: limit,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw response.status >= 500 ? unreachable() : failureOf('refused', response.status);
    }
    return readAnswer(await response.text(), texts.length);
  } catch (error) {
    if (error instanceof InferenceError) throw error;
    if (error instanceof Error && error.cause instanceof InferenceError) throw error.cause;
    // The message of `fetch` contains the address.
    throw limit.aborted ? failureOf('timeout') : unreachable();
  }
}

/** Readiness and `continuity doctor` show the message. */
function unreachable(): InferenceError {
  return new InferenceError('unreachable', 'The built-in embedder could not be reached.');
}

/** @throws {InferenceError} if another program answers on the address */
function readAnswer(body: string, texts: number): EmbedAnswer {
  let answer: Partial<EmbedAnswer> | null;
  try {
    answer = JSON.parse(body) as Partial<EmbedAnswer> | null;
  } catch {
    throw failureOf('invalid_output');
  }
  const data = Array.isArray(answer?.data) ? answer.data : [];
  const isValid = data.length === texts && data.every((one) => Array.isArray(one?.embedding));
  if (!isValid) throw failureOf('invalid_output');
  return answer as EmbedAnswer;
}

/** The start of a text that the embedder accepts. It reads only the first 510 tokens, which are shorter. */
function cutText(text: string): string {
  // A UTF-16 code unit has at most 3 bytes in UTF-8.
  if (text.length * 3 <= maxEmbedTextBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxEmbedTextBytes) return text;
  // A decoder that expects more leaves an incomplete character at the end out.
  return new TextDecoder().decode(bytes.subarray(0, maxEmbedTextBytes), { stream: true });
}
