import { AISDKError, APICallError, NoObjectGeneratedError } from 'ai';
import { InferenceError, type InferenceFailure } from './error.ts';
import { failureOf } from './failures.ts';
import { refusedAnswer } from './refused-answer.ts';

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
