import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai';
import type { z } from 'zod';
import { ExtractionError } from '../port.ts';
import { asExtractionError } from './failures.ts';

/** What one answered request used; null where the endpoint did not say (spec 20 T6). */
export interface ModelUsage {
  requests: 1;
  input_tokens: number | null;
  output_tokens: number | null;
}

export interface ModelEndpoint {
  /** OpenAI-compatible, up to and with its version (`https://host/v1`). */
  baseURL: string;
  /** Without one no `Authorization` header is sent. */
  apiKey?: string | undefined;
  model: string;
  /** Time limit of one request. */
  timeoutMs: number;
  /** Called after each request that was answered, usable or not. */
  onUsage?: ((usage: ModelUsage) => void) | undefined;
}

export interface Question<T> {
  instructions: string;
  prompt: string;
  schema: z.ZodType<T>;
  signal: AbortSignal;
}

/** Asks once, at temperature 0. @throws {ExtractionError} */
export type Ask = <T>(question: Question<T>) => Promise<T>;

export function createAsk(endpoint: ModelEndpoint): Ask {
  const provider = createOpenAICompatible({
    name: 'inference',
    baseURL: endpoint.baseURL,
    supportsStructuredOutputs: true,
    ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
  });
  const model = provider(endpoint.model);

  return async ({ instructions, prompt, schema, signal }) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)]);
    try {
      const result = await generateText({
        model,
        instructions,
        prompt,
        output: Output.object({ schema, name: 'memory_proposals' }),
        temperature: 0,
        maxRetries: 0,
        abortSignal: limit,
        telemetry: { isEnabled: false },
      });
      endpoint.onUsage?.(usageOf(result.usage));
      return result.output;
    } catch (error) {
      if (NoObjectGeneratedError.isInstance(error)) endpoint.onUsage?.(usageOf(error.usage));
      throw asExtractionError(error, limit.aborted);
    }
  };
}

/** Whether another request may end better. A refusal is for good, and after a time-out there is no time left. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof ExtractionError && ['unreachable', 'invalid_output'].includes(error.reason);
}

function usageOf(usage: LanguageModelUsage | undefined): ModelUsage {
  return {
    requests: 1,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
  };
}
