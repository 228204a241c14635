import { JSONParseError, type NoObjectGeneratedError, TypeValidationError } from 'ai';
import { z } from 'zod';
import { InferenceError } from './error.ts';

/** Most faults that a message names. */
const maxFaults = 3;

/**
 * The error of an answer that does not have the required form. It names the rule and the place, and never the content: places are names
 * of the schema and numbers.
 */
export function refusedAnswer({ finishReason, cause }: NoObjectGeneratedError): InferenceError {
  return new InferenceError('invalid_output', `The answer of the model ${faultOf(finishReason, cause)}.`);
}

function faultOf(finishReason: string | undefined, cause: unknown): string {
  if (finishReason === 'length') return 'was cut off at its limit of tokens';
  if (finishReason === 'content-filter') return 'was withheld by a content filter';
  if (JSONParseError.isInstance(cause)) return 'is not JSON';
  if (!TypeValidationError.isInstance(cause)) return 'is empty or not JSON';
  const issues = cause.cause instanceof z.core.$ZodError ? cause.cause.issues : [];
  const faults = issues.slice(0, maxFaults).map(({ code, path }) => `${placeOf(path)}: ${code}`);
  return faults.length === 0 ? 'does not have the required form' : `breaks its schema (${faults.join(', ')})`;
}

function placeOf(path: readonly PropertyKey[]): string {
  const steps = path.map((step) =>
    typeof step === 'number' || /^[a-z_]{1,32}$/.test(String(step)) ? String(step) : '*',
  );
  return steps.length === 0 ? 'answer' : steps.join('.');
}
