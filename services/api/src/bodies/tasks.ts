import type { ErrorBody } from '@continuity/contract';

/** The body of a request, to be read in a thread. */
export type BodyTask = OperationTask | MessageTask;

interface OperationTask {
  /** Id of the operation. */
  operation: string;
  /** Validated path parameters. */
  params: unknown;
  bytes: Uint8Array;
}

/** A message of MCP. */
interface MessageTask {
  operation: null;
  bytes: Uint8Array;
}

/** The parsed body, or the error to answer. */
export type BodyResult = { body: unknown } | { error: ErrorBody };
