import { traceHeaders } from '@continuity/kernel/telemetry';
import { generateText, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai';
import { asInferenceError, InferenceError } from './errors.ts';
import { openLanguageModel } from './language-model.ts';
import type { ModelEndpoint, ModelUsage } from './model-endpoint.ts';
import type { Ask, Question } from './question.ts';
import { retryRequest } from './request.ts';
import { toTokenCount } from './token-count.ts';

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

const wrongForm = 'The answer was not a JSON object of the required form.';

/** An answer that breaks a rule. The message goes into the next prompt, so it contains no text of the answer or its evidence. */
export class InvalidAnswerError extends Error {
  override name = 'InvalidAnswerError';
}

/** A question to a model. `askWithRepairs` asks it again after an invalid answer. */
export interface RepairedQuestion<Answer, Result> extends Omit<Question<Answer>, 'prompt'> {
  /** Builds the prompt. `refused` is the problem of the last answer; null for the first question. */
  prompt: (refused: string | null) => string;
  /** Turns an answer into the result. @throws {InvalidAnswerError} */
  read: (answer: Answer) => Result;
}

export interface AskLimits {
  /** Limit of requests for each answer while the endpoint is unreachable. */
  maxRequests: number;
  /** Limit of further questions after an invalid answer. */
  maxRepairs: number;
}

/**
 * Asks a model, and asks again with the reason after an invalid answer.
 * @throws {InferenceError} if a request fails, {InvalidAnswerError} if the last answer is invalid
 */
export async function askWithRepairs<Answer, Result>(
  ask: Ask,
  { maxRequests, maxRepairs }: AskLimits,
  { prompt, read, ...question }: RepairedQuestion<Answer, Result>,
): Promise<Result> {
  let refused: string | null = null;
  for (let repairs = 0; ; repairs += 1) {
    const asked = { ...question, prompt: prompt(refused) };
    try {
      return read(await retryRequest(maxRequests, ['unreachable'], () => ask(asked)));
    } catch (error) {
      const invalid = asInvalidAnswer(error);
      if (repairs >= maxRepairs) throw invalid;
      refused = invalid.message;
    }
  }
}

/** Rethrows an error that is not about the answer. */
function asInvalidAnswer(error: unknown): InvalidAnswerError {
  if (error instanceof InvalidAnswerError) return error;
  const hasWrongForm = error instanceof InferenceError && error.reason === 'invalid_output';
  if (hasWrongForm) return new InvalidAnswerError(wrongForm);
  throw error;
}
