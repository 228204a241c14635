import type { InferenceFailure } from './error.ts';
import type { ModelAddress } from './model-address.ts';

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
