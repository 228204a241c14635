import type { z } from 'zod';
import { type Ask, InferenceError, type OnUsage } from '../../inference/index.ts';

/** How often an invalid answer is asked for again (spec 40 §2 rule 4). */
const maxRepairs = 2;

const notOfTheForm = 'The answer was not a JSON object of the required form.';

/** An answer that breaks a rule. The message goes into the next prompt, so it contains no text of the answer or its evidence. */
export class AnswerFault extends Error {
  override name = 'AnswerFault';
}

/** A question to a model, whose invalid answers are asked for again. */
export interface RepairedQuestion<Answer, Result> {
  name: string;
  instructions: string;
  schema: z.ZodType<Answer>;
  /** The prompt; `refused` says what was wrong with the last answer. */
  prompt: (refused: string | null) => string;
  /** Turns an answer into the result. @throws {AnswerFault} */
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
      refused = faultOf(error);
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
function faultOf(error: unknown): string {
  if (error instanceof AnswerFault) return error.message;
  if (error instanceof InferenceError && error.reason === 'invalid_output') return notOfTheForm;
  throw error;
}
