import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai';
import type { z } from 'zod';
import { traceHeaders, withSpan } from '../kernel/telemetry/index.ts';
import { InferenceError, type InferenceFailure } from './error.ts';
import { asInferenceError } from './failures.ts';
import { tokenFigure } from './token-figure.ts';

/** Tokens of one answered request; null if the endpoint reported none (spec 20 T6). */
export interface ModelUsage {
  requests: 1;
  input_tokens: number | null;
  output_tokens: number | null;
}

/** Records the usage of an answered request. */
export type OnUsage = (usage: ModelUsage) => Promise<void>;

export interface ModelEndpoint {
  /** OpenAI-compatible, with its version (`https://host/v1`). */
  baseURL: string;
  /** Left out: no `Authorization` header. */
  apiKey?: string | undefined;
  model: string;
  /** Time limit of one request. */
  timeoutMs: number;
  /** Called after each answered request, whether or not the answer is valid. */
  onUsage?: ((usage: ModelUsage) => void) | undefined;
  /** Called after each request with its outcome and its duration in milliseconds. */
  onRequest?: ((outcome: 'answered' | InferenceFailure, ms: number) => void) | undefined;
}

export interface Question<T> {
  /** Name of the schema, for endpoints that require one. */
  name: string;
  instructions: string;
  prompt: string;
  schema: z.ZodType<T>;
  signal: AbortSignal;
  /** Awaited after an answered request, whether or not the answer is valid. Must not reject. */
  onUsage?: OnUsage | undefined;
}

/** Sends one request at temperature 0. @throws {InferenceError} */
export type Ask = <T>(question: Question<T>) => Promise<T>;

export function createAsk(endpoint: ModelEndpoint): Ask {
  const provider = createOpenAICompatible({
    name: 'inference',
    baseURL: endpoint.baseURL,
    supportsStructuredOutputs: true,
    ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
  });
  const model = provider(endpoint.model);

  return async (question) => {
    const answered: ModelUsage[] = [];
    try {
      return await observed(endpoint, () => ask(question, (told) => answered.push(usageOf(told))));
    } finally {
      for (const usage of answered) {
        endpoint.onUsage?.(usage);
        await question.onUsage?.(usage);
      }
    }
  };

  async function ask<T>(
    { name, instructions, prompt, schema, signal }: Question<T>,
    onAnswered: (told: LanguageModelUsage | undefined) => void,
  ): Promise<T> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)]);
    try {
      const result = await generateText({
        model,
        instructions,
        prompt,
        output: Output.object({ schema, name }),
        temperature: 0,
        maxRetries: 0,
        abortSignal: limit,
        headers: traceHeaders(),
        telemetry: { isEnabled: false },
      });
      onAnswered(result.usage);
      return result.output;
    } catch (error) {
      if (NoObjectGeneratedError.isInstance(error)) onAnswered(error.usage);
      throw asInferenceError(error, limit.aborted);
    }
  }
}

/** Traces one request and reports its outcome and duration. */
export async function observed<T>(
  { onRequest }: Pick<ModelEndpoint, 'onRequest'>,
  ask: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const tell = (outcome: 'answered' | InferenceFailure) => onRequest?.(outcome, performance.now() - begun);
  try {
    const answer = await withSpan('ask model', { role: 'client' }, ask);
    tell('answered');
    return answer;
  } catch (error) {
    if (error instanceof InferenceError) tell(error.reason);
    throw error;
  }
}

/** Whether a retry can succeed. A refusal is permanent, and a time-out used up the time. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof InferenceError && ['unreachable', 'invalid_output'].includes(error.reason);
}

/** Reads the raw answer, because the SDK turns a missing figure into 0. */
function usageOf(usage: LanguageModelUsage | undefined): ModelUsage {
  const told = usage?.raw;
  return {
    requests: 1,
    input_tokens: tokenFigure(told?.['prompt_tokens']),
    output_tokens: tokenFigure(told?.['completion_tokens']),
  };
}
