import type { z } from 'zod';
import { type Ask, InferenceError, type OnUsage } from '../../inference/index.ts';

/** Limit of the further questions after an invalid answer (spec 40 §2 rule 4). */
const maxRepairs = 2;

const wrongForm = 'The answer was not a JSON object of the required form.';

/** An answer that breaks a rule. The message goes into the next prompt, so it contains no text of the answer or its evidence. */
export class InvalidAnswerError extends Error {
  override name = 'InvalidAnswerError';
}

/** A question to a model. `askWithRepairs` asks it again after an invalid answer. */
export interface RepairedQuestion<Answer, Result> {
  name: string;
  instructions: string;
  schema: z.ZodType<Answer>;
  /** Builds the prompt. `refused` is the problem of the last answer; null for the first question. */
  prompt: (refused: string | null) => string;
  /** Turns an answer into the result. @throws {InvalidAnswerError} */
  read: (answer: Answer) => Result;
  signal: AbortSignal;
  onUsage?: OnUsage | undefined;
}

/**
 * Asks a model. Asks again with the reason after an invalid answer, at most twice. Sends at most `maxRequests` requests for each
 * answer while the endpoint is unreachable. @throws {InferenceError}
 */
export async function askWithRepairs<Answer, Result>(
  ask: Ask,
  maxRequests: number,
  question: RepairedQuestion<Answer, Result>,
): Promise<Result> {
  let refused: string | null = null;
  for (let repairs = 0; repairs <= maxRepairs; repairs += 1) {
    try {
      return question.read(await askReachable(ask, maxRequests, question, refused));
    } catch (error) {
      refused = problemOf(error);
    }
  }
  throw new InferenceError('invalid_output', 'The model gave no valid answer.');
}

async function askReachable<Answer>(
  ask: Ask,
  requestsLeft: number,
  question: RepairedQuestion<Answer, unknown>,
  refused: string | null,
): Promise<Answer> {
  const { name, instructions, schema, prompt, signal, onUsage } = question;
  try {
    return await ask({ name, instructions, schema, prompt: prompt(refused), signal, onUsage });
  } catch (error) {
    const isUnreachable = error instanceof InferenceError && error.reason === 'unreachable';
    if (!isUnreachable || requestsLeft <= 1) throw error;
    return await askReachable(ask, requestsLeft - 1, question, refused);
  }
}

/** Returns the problem of an answer. Throws any other error. */
function problemOf(error: unknown): string {
  if (error instanceof InvalidAnswerError) return error.message;
  if (error instanceof InferenceError && error.reason === 'invalid_output') return wrongForm;
  throw error;
}
