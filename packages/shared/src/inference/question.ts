import type { z } from 'zod';
import { InferenceError } from './errors.ts';
import { type OnUsage, retryRequest } from './model-endpoint.ts';

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
