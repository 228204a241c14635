import type { ErrorBody } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import { ServiceError } from '@continuity/kernel/errors';
import { defineThread, lowerThreadPriority } from '@continuity/kernel/threads';
import { readMessage } from '../mcp/message.ts';
import { readBody } from './parse-body.ts';

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
  /** The Scope of a call that names none. */
  scope: string | undefined;
}

/** The parsed body, or the error to answer. */
export type BodyResult = { body: unknown } | { error: ErrorBody };

const byId = new Map(operations.map((operation) => [operation.id, operation]));

lowerThreadPriority();

/** A thread of the body reader. It has no access to the database or to settings. */
export const bodyThread = defineThread((task: BodyTask): BodyResult => {
  try {
    return { body: read(task) };
  } catch (error) {
    if (error instanceof ServiceError) return { error: error.toBody() };
    throw error;
  }
});

function read(task: BodyTask): unknown {
  if (task.operation === null) return readMessage(task.bytes, task.scope);
  const operation = byId.get(task.operation);
  if (operation === undefined) throw new Error(`There is no operation ${task.operation}.`);
  return readBody(operation, task.params, task.bytes);
}
