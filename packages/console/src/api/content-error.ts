import { requests } from './requests.ts';

/** An answer that breaks its own promise, such as a file whose bytes do not have its digest. */
export class ContentError extends Error {
  /** Request id of the answer, for the operator. */
  readonly requestId: string | null;

  /** `operation`: the id of the operation that answered last. */
  constructor(message: string, operation: string) {
    super(message);
    this.requestId = requests.value.find((request) => request.operation === operation)?.requestId ?? null;
  }
}
