import { withSpan } from '@continuity/kernel/telemetry';
import type { CosineScale } from '../search/index.ts';
import { InferenceError, type InferenceFailure } from './errors.ts';

/** The API of an endpoint. */
type ModelProvider = 'openai-compatible' | 'anthropic';

/** Address and credentials of a model. */
export interface ModelAddress {
  /** Left out: OpenAI-compatible. */
  provider?: ModelProvider | undefined;
  /** With its version (`https://host/v1`). */
  baseURL: string;
  /** Left out: no header with a key. Anthropic needs one. */
  apiKey?: string | undefined;
}

/** The authentication headers of a request to this API. */
export function headersOf({ provider, apiKey }: Omit<ModelAddress, 'baseURL'>): Record<string, string> {
  if (apiKey === undefined) return {};
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { authorization: `Bearer ${apiKey}` };
}

/** Tokens of one answered request; null if the endpoint reported none (spec 20 T6). */
export interface ModelUsage {
  requests: 1;
  input_tokens: number | null;
  output_tokens: number | null;
}

/** Records the usage of an answered request. */
export type OnUsage = (usage: ModelUsage) => Promise<void>;

export interface ModelEndpoint extends ModelAddress {
  model: string;
  /** Time limit of one request. */
  timeoutMs: number;
  /** Sends the `traceparent` of each request, so that the spans of the endpoint join its trace. */
  sendsTrace?: boolean | undefined;
  /** Called after each answered request, whether or not the answer is valid. */
  onUsage?: ((usage: ModelUsage) => void) | undefined;
  /** Called after each request with its outcome and its duration in milliseconds. */
  onRequest?: ((outcome: 'answered' | InferenceFailure, ms: number) => void) | undefined;
}

/** Limit of a plausible token count. Sums of such counts stay exact in a JavaScript number. */
const maxTokens = 1_000_000_000;

/** Validates a reported token count. Returns null for a fraction, a negative number or any other value that is no count (spec 20 T6). */
export function toTokenCount(reported: unknown): number | null {
  const isFigure =
    typeof reported === 'number' && Number.isInteger(reported) && reported >= 0 && reported <= maxTokens;
  return isFigure ? reported : null;
}

/** Traces one request and reports its outcome and duration. */
export async function observeRequest<T>(
  { onRequest }: Pick<ModelEndpoint, 'onRequest'>,
  ask: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const report = (outcome: 'answered' | InferenceFailure) => onRequest?.(outcome, performance.now() - begun);
  try {
    const answer = await withSpan('ask model', { role: 'client' }, ask);
    report('answered');
    return answer;
  } catch (error) {
    if (error instanceof InferenceError) report(error.reason);
    throw error;
  }
}

/**
 * Sends a request, and repeats it while it fails for one of `reasons`: at most `maxRequests` requests in all. A refusal is permanent,
 * and a time-out has used up the time, so neither is a reason. @throws {InferenceError}
 */
export async function retryRequest<T>(
  maxRequests: number,
  reasons: readonly Exclude<InferenceFailure, 'refused' | 'timeout'>[],
  request: () => Promise<T>,
): Promise<T> {
  for (let requests = 1; ; requests += 1) {
    try {
      return await request();
    } catch (error) {
      const canRetry = error instanceof InferenceError && reasons.some((reason) => reason === error.reason);
      if (!canRetry || requests >= maxRequests) throw error;
    }
  }
}

/** A vector space. Vectors of different ones are never compared (spec 20 S12). */
export interface EmbeddingProfile {
  profileId: string;
  model: string;
  dimension: number;
  /** How to read its cosines, where that is known of the model. Absent: a worker measures it (spec 26 S9). */
  scale?: CosineScale;
}

/** What a text is embedded as: models are trained with another prefix for each. */
export type EmbeddingInput = 'query' | 'passage';

export interface EmbeddingEndpoint extends ModelEndpoint {
  profileId: string;
  dimension: number;
  /** Put before each text (spec 26 S12). Default: nothing. */
  prefixes?: Readonly<Record<EmbeddingInput, string>>;
}

export interface Embedded {
  /** One vector of unit length for each text, in their order; null if the model gave none that can be used (spec 20 S9). */
  vectors: (Float32Array | null)[];
  /** Null for the built-in model: its calls are not counted (spec 26 S14). */
  usage: ModelUsage | null;
}

export interface Embedder {
  readonly profile: EmbeddingProfile;
  /** Embeds texts by one request. @throws {InferenceError} */
  embed(texts: string[], input: EmbeddingInput, signal?: AbortSignal): Promise<Embedded>;
}
