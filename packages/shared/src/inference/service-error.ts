import { type ServiceError, serviceError } from '@continuity/kernel/errors';
import type { InferenceError } from './error.ts';

/**
 * The 503 of an operation whose model failed (spec 20 F11). Its message says which rule the answer broke, never its content.
 *
 * @param advice what happened to the work, and what the caller should do
 */
export function inferenceFailed(error: InferenceError, advice: string): ServiceError {
  const { reason } = error;
  if (reason === 'timeout') {
    const message = `The model did not answer in time. ${advice}`;
    return serviceError('inference_timeout', { message, cause: error });
  }
  const message = `${error.message} ${advice}`;
  return serviceError('inference_unavailable', { message, details: { reason }, cause: error });
}
