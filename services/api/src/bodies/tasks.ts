import type { ErrorBody } from '@continuity/contract';

/** The body of a request, to be read in a thread. */
export interface BodyTask {
  /** Id of the operation. */
  operation: string;
  /** Validated path parameters. */
  params: unknown;
  bytes: Uint8Array;
}

/** Input for the handler, or the error to answer. */
export type BodyResult = { body: unknown } | { error: ErrorBody };
