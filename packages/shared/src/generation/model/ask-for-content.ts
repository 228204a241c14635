import {
  type Ask,
  askWithRepairs,
  InferenceError,
  InvalidAnswerError,
  type RepairedQuestion,
} from '../../inference/index.ts';

/** Limit of the further questions after an invalid answer (spec 40 G4). */
const maxRepairs = 2;

/** Asks a model for content, at most `maxRequests` times for each answer while the endpoint is unreachable. @throws {InferenceError} */
export async function askForContent<Answer, Result>(
  ask: Ask,
  maxRequests: number,
  question: RepairedQuestion<Answer, Result>,
): Promise<Result> {
  try {
    return await askWithRepairs(ask, { maxRequests, maxRepairs }, question);
  } catch (error) {
    if (!(error instanceof InvalidAnswerError)) throw error;
    throw new InferenceError('invalid_output', 'The model gave no valid answer.');
  }
}
