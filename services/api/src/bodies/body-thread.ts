import { operations } from '@continuity/contract/operations';
import { ServiceError } from '@continuity/shared/kernel/errors/index.ts';
import { serveTasks } from '@continuity/shared/kernel/threads';
import { readBody } from './read-body.ts';
import type { BodyResult, BodyTask } from './tasks.ts';

// A thread of the body reader. It has no access to the database or to settings.

const byId = new Map(operations.map((operation) => [operation.id, operation]));

serveTasks(({ operation: id, params, bytes }: BodyTask): BodyResult => {
  const operation = byId.get(id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  try {
    return { body: readBody(operation, params, bytes) };
  } catch (error) {
    if (error instanceof ServiceError) return { error: error.toBody() };
    throw error;
  }
});
