import { AISDKError, APICallError, JSONParseError, NoObjectGeneratedError, TypeValidationError } from 'ai';
import { z } from 'zod';
import { failureOf, InferenceError, type InferenceFailure } from './errors.ts';

/**
 * Maps an error of the SDK to an `InferenceError` (spec 20 F11) and rethrows any other error. Drops the original error, which
 * contains the prompt, the answer and the headers.
 *
 * @param aborted whether the time limit or the caller ended the request
 */
export function asInferenceError(error: unknown, aborted: boolean): InferenceError {
  if (error instanceof InferenceError) return error;
  // The SDK wraps a failure while it reads the body.
  if (error instanceof Error && error.cause instanceof InferenceError) return error.cause;
  if (aborted) return failureOf('timeout');
  if (NoObjectGeneratedError.isInstance(error)) return refusedAnswer(error);
  if (APICallError.isInstance(error)) return ofCall(error);
  if (AISDKError.isInstance(error)) return failureOf('invalid_output');
  throw error;
}

function ofCall(error: APICallError): InferenceError {
  const reason = reasonOfCall(error);
  return failureOf(reason, reason === 'refused' ? error.statusCode : null);
}

function reasonOfCall({ statusCode, isRetryable }: APICallError): InferenceFailure {
  if (statusCode === undefined || statusCode >= 500) return 'unreachable';
  if (statusCode >= 400) return statusCode === 408 ? 'timeout' : 'refused';
  // The SDK marks a broken connection as retryable, and an answer that is no completion as not.
  return isRetryable ? 'unreachable' : 'invalid_output';
}

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
