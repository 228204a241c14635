import type { InferenceFailure } from './errors.ts';

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
