/** How a request to a model fails. */
export type InferenceFailure = 'timeout' | 'unreachable' | 'refused' | 'invalid_output';

/** Why a model gave nothing usable (spec 20 F11). Its message never holds content, a key or an address. */
export class InferenceError extends Error {
  readonly reason: InferenceFailure;

  constructor(reason: InferenceFailure, message: string) {
    super(message);
    this.name = 'InferenceError';
    this.reason = reason;
  }
}
