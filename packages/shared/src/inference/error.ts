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
