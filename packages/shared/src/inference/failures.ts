import { InferenceError, type InferenceFailure } from './error.ts';

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
