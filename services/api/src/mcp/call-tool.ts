import { bodyLimitOf, maxBodyValuesOf, type OperationSpec } from '@continuity/contract';
import type { ToolName } from '@continuity/contract/mcp';
import { operationTable } from '@continuity/contract/operations';
import { type Caller, serviceError } from '@continuity/shared/kernel';
import type { BoundOperations } from '../bind-handlers.ts';
import { parseBody } from '../bodies/parse-body.ts';
import { validate } from '../http/validate.ts';

type AnyHandler = (caller: Caller, input: object) => Promise<{ body: object | null }>;

/**
 * Runs the operation of a tool under the limits, the validation and the handler that HTTP uses. Returns the body of its answer.
 * Throws the errors of the operation.
 */
export async function callTool(
  handlers: BoundOperations,
  caller: Caller,
  name: ToolName,
  args: Record<string, unknown>,
): Promise<object> {
  const operation: OperationSpec = operationTable[name];
  const handler = handlers[name] as AnyHandler;
  const values = readArguments(operation, args);
  const { params, body } = splitArguments(operation, values);
  const { body: answer } = await handler(caller, {
    params: operation.params && validate(operation.params, params),
    query: undefined,
    headers: operation.headers && validate(operation.headers, {}),
    body: operation.body && validate(operation.body, body),
  });
  if (answer === null) throw new Error(`${name} has no answer for a tool.`);
  return answer;
}

/** Applies the rules of HTTP bodies, by reading the arguments as such a body. */
function readArguments(operation: OperationSpec, args: Record<string, unknown>): Record<string, unknown> {
  const bytes = Buffer.from(JSON.stringify(args));
  const limit = bodyLimitOf(operation);
  if (bytes.length > limit) {
    throw serviceError('body_too_large', {
      message: `The arguments exceed ${limit} bytes. Send smaller ones.`,
      details: { limit_bytes: limit },
    });
  }
  return parseBody(bytes, maxBodyValuesOf(operation)) as Record<string, unknown>;
}

function splitArguments({ params }: OperationSpec, args: Record<string, unknown>) {
  const ofPath = (name: string) => params !== undefined && Object.hasOwn(params.shape, name);
  const entries = Object.entries(args);
  return {
    params: Object.fromEntries(entries.filter(([name]) => ofPath(name))),
    body: Object.fromEntries(entries.filter(([name]) => !ofPath(name))),
  };
}
