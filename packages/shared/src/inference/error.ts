/** How a request to a model fails. */
export type InferenceFailure = 'timeout' | 'unreachable' | 'refused' | 'invalid_output';

/** Why a model gave nothing usable (spec 20 F11). Its message never holds content, a key or an address. */
export class InferenceError extends Error {
  readonly reason: InferenceFailure;
  /** HTTP status of a refusal; null where there is none. */
  readonly status: number | null;

  constructor(reason: InferenceFailure, message: string, status: number | null = null) {
    super(message);
    this.name = 'InferenceError';
    this.reason = reason;
    this.status = status;
  }

  /** Whether what was sent may be why the endpoint did not do better: another text may fare otherwise. */
  get mayBeTheInput(): boolean {
    return this.reason === 'invalid_output' || statusesOfInput.includes(this.status ?? 0);
  }
}

/** By these an endpoint refuses a request for what is in it, and not for who asks or how often. */
const statusesOfInput = [400, 413, 422];
