import { ServiceError } from '../kernel/errors/index.ts';
import type { InferenceError } from './error.ts';

/**
 * What the caller of an operation is told where a model gave nothing usable (spec 20 F11).
 *
 * @param whatNow what became of the work, and what helps
 */
export function inferenceFailed(error: InferenceError, whatNow: string): ServiceError {
  const { reason } = error;
  if (reason === 'timeout') {
    const message = `The model did not answer in time. ${whatNow}`;
    return new ServiceError('inference_timeout', message, {}, { cause: error });
  }
  const message = `The model could not do this. ${whatNow}`;
  return new ServiceError('inference_unavailable', message, { reason }, { cause: error });
}
