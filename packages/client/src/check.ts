import { operationTable, successesOf } from '@continuity/contract/operations';
import type { OperationId } from './types.ts';

/** Throws for an answer that breaks the schema of its operation and status. For `checkAnswer` of `createClient`. */
export function checkAnswer(id: OperationId, status: number, body: unknown): void {
  const success = successesOf(operationTable[id]).find((one) => one.status === status);
  if (success === undefined) throw new Error(`${id} has no success with the status ${status}.`);
  success.response?.parse(body);
}
