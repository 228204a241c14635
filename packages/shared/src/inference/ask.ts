import { generateText, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai';
import type { z } from 'zod';
import { traceHeaders } from '../kernel/telemetry/index.ts';
import { asInferenceError } from './failures.ts';
import { openLanguageModel } from './language-model.ts';
import type { ModelEndpoint, ModelUsage, OnUsage } from './model-endpoint.ts';
import { observeRequest } from './observe-request.ts';
import { tokenFigure } from './token-figure.ts';

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

/** Sends one request, at temperature 0 where the model has one. @throws {InferenceError} */
export type Ask = <T>(question: Question<T>) => Promise<T>;

export function createAsk(endpoint: ModelEndpoint): Ask {
  const { model, settings } = openLanguageModel(endpoint, endpoint.model);

  return async (question) => {
    const answered: ModelUsage[] = [];
    try {
      return await observeRequest(endpoint, () => ask(question, (usage) => answered.push(usageOf(usage))));
    } finally {
      for (const usage of answered) {
        endpoint.onUsage?.(usage);
        await question.onUsage?.(usage);
      }
    }
  };

  async function ask<T>(
    { name, instructions, prompt, schema, signal }: Question<T>,
    onAnswered: (usage: LanguageModelUsage | undefined) => void,
  ): Promise<T> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)]);
    try {
      const result = await generateText({
        model,
        instructions,
        prompt,
        output: Output.object({ schema, name }),
        temperature: 0,
        ...settings,
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

/** Reads the raw answer, because the SDK turns a missing figure into 0. */
function usageOf(usage: LanguageModelUsage | undefined): ModelUsage {
  const raw = usage?.raw;
  return {
    requests: 1,
    input_tokens: tokenFigure(raw?.['prompt_tokens'] ?? raw?.['input_tokens']),
    output_tokens: tokenFigure(raw?.['completion_tokens'] ?? raw?.['output_tokens']),
  };
}
