import { operations } from '@continuity/contract/operations';
import { ServiceError } from '@continuity/kernel/errors';
import { lowerThreadPriority, serveTasks } from '@continuity/kernel/threads';
import { readMessage } from '../mcp/message.ts';
import { readBody } from './parse-body.ts';
import type { BodyResult, BodyTask } from './tasks.ts';

// A thread of the body reader. It has no access to the database or to settings.

const byId = new Map(operations.map((operation) => [operation.id, operation]));

lowerThreadPriority();

serveTasks((task: BodyTask): BodyResult => {
  try {
    return { body: read(task) };
  } catch (error) {
    if (error instanceof ServiceError) return { error: error.toBody() };
    throw error;
  }
});

function read(task: BodyTask): unknown {
  if (task.operation === null) return readMessage(task.bytes);
  const operation = byId.get(task.operation);
  if (operation === undefined) throw new Error(`There is no operation ${task.operation}.`);
  return readBody(operation, task.params, task.bytes);
}
