import { traceHeaders } from '@continuity/kernel/telemetry';
import { generateText, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai';
import { openLanguageModel } from './language-model.ts';
import { type ModelEndpoint, type ModelUsage, toTokenCount } from './model-endpoint.ts';
import type { Question } from './question.ts';
import { asInferenceError } from './sdk-errors.ts';

/**
 * Sends one request through the AI SDK. Calls `onAnswered` with the usage of an answered request, whether or not the answer
 * is valid. @throws {InferenceError}
 */
export async function askModel<T>(
  endpoint: ModelEndpoint,
  { name, instructions, prompt, schema, signal }: Question<T>,
  onAnswered: (usage: ModelUsage) => void,
): Promise<T> {
  const { model, settings } = openLanguageModel(endpoint, endpoint.model);
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
      headers: endpoint.sendsTrace ? traceHeaders() : {},
      telemetry: { isEnabled: false },
    });
    onAnswered(usageOf(result.usage));
    return result.output;
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error)) onAnswered(usageOf(error.usage));
    throw asInferenceError(error, limit.aborted);
  }
}

/** Reads the raw answer, because the SDK turns a missing figure into 0. */
function usageOf(usage: LanguageModelUsage | undefined): ModelUsage {
  const raw = usage?.raw;
  return {
    requests: 1,
    input_tokens: toTokenCount(raw?.['prompt_tokens'] ?? raw?.['input_tokens']),
    output_tokens: toTokenCount(raw?.['completion_tokens'] ?? raw?.['output_tokens']),
  };
}
