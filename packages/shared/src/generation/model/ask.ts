import type { Issue } from '@continuity/contract';
import { findJsonIssues, type JsonValue } from '@continuity/kernel/json';
import type { z } from 'zod';
import {
  type Ask,
  askWithRepairs,
  InferenceError,
  InvalidAnswerError,
  type RepairedQuestion,
} from '../../inference/index.ts';
import { hasCredential } from '../../memory/index.ts';

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

/** Most issues in one message to a model. */
const maxIssues = 8;

/** The content, checked against the shape that a caller's content must have. @throws {InvalidAnswerError} */
export function checkContent<T>(shape: z.ZodType<T>, content: JsonValue): T {
  const parsed = shape.safeParse(content);
  if (!parsed.success) {
    refuseAnswer(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    throw new InvalidAnswerError('The content is invalid.');
  }
  refuseAnswer(findJsonIssues(content));
  refuseAnswer(findCredentialIssues(content));
  return parsed.data;
}

/** Throws an `InvalidAnswerError` if there are issues. */
export function refuseAnswer(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  throw new InvalidAnswerError(
    issues
      .slice(0, maxIssues)
      .map(({ path, message }) => `${path}: ${message}.`)
      .join(' '),
  );
}

function findCredentialIssues(content: JsonValue): Issue[] {
  const fields = Object.entries(content ?? {}) as [string, JsonValue][];
  return fields
    .filter(([, value]) => [value].flat().some((text) => typeof text === 'string' && hasCredential(text)))
    .map(([path]) => ({
      path,
      message: 'holds something that looks like a password, key or token; leave it out',
    }));
}
