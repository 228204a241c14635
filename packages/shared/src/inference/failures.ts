import { AISDKError, APICallError } from 'ai';
import { InferenceError, type InferenceFailure } from './error.ts';

/**
 * Names the failure of a model request (spec 20 F11). The provider's error is left behind whole: it holds the prompt,
 * the answer and the headers. What is no failure of a request is thrown on as it is.
 *
 * @param aborted whether the time limit or the caller ended the request
 */
export function asInferenceError(error: unknown, aborted: boolean): InferenceError {
  if (error instanceof InferenceError) return error;
  if (aborted) return failureOf('timeout');
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
  // An answer that broke off on its way is retryable; one that came and is no completion is not.
  return isRetryable ? 'unreachable' : 'invalid_output';
}

const SENTENCES: Record<InferenceFailure, string> = {
  timeout: 'The model did not answer in time.',
  unreachable: 'The model could not be reached.',
  refused: 'The model endpoint refused the request.',
  invalid_output: 'The model answered with something unusable.',
};

/** The failure with its sentence; `status` is that of a refusal. */
export function failureOf(reason: InferenceFailure, status: number | null = null): InferenceError {
  return new InferenceError(reason, SENTENCES[reason], status);
}
