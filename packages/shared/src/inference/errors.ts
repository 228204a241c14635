import { type ServiceError, serviceError } from '@continuity/kernel/errors';

/** Reasons for the failure of a model request. */
export type InferenceFailure = 'timeout' | 'unreachable' | 'refused' | 'invalid_output';

/** A failed model request (spec 20 F11). The message never contains content, a key or an address. */
export class InferenceError extends Error {
  readonly reason: InferenceFailure;
  /** HTTP status of a refusal, else null. */
  readonly status: number | null;

  constructor(reason: InferenceFailure, message: string, status: number | null = null) {
    super(message);
    this.name = 'InferenceError';
    this.reason = reason;
    this.status = status;
  }

  /** Whether the input can be at fault, so that the endpoint may accept another text. */
  get canBeInputFault(): boolean {
    return this.reason === 'invalid_output' || statusesOfInput.includes(this.status ?? 0);
  }
}

/** HTTP statuses that refuse the content of a request. */
const statusesOfInput = [400, 413, 422];

const messages: Record<InferenceFailure, string> = {
  timeout: 'The model did not answer in time.',
  unreachable: 'The model could not be reached.',
  refused: 'The model endpoint refused the request.',
  invalid_output: 'The answer of the model is invalid.',
};

/** Creates the error of a failure. `status` is the HTTP status of a refusal. */
export function failureOf(reason: InferenceFailure, status: number | null = null): InferenceError {
  return new InferenceError(reason, messages[reason], status);
}

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
