import type { ToolName } from '@continuity/contract/mcp';
import type { Caller } from '@continuity/shared/handlers';
import type { BoundOperations } from '../bind-handlers.ts';
import type { ToolInput } from './tool-input.ts';

type AnyHandler = (caller: Caller, input: ToolInput) => Promise<{ body: object | null }>;

/** Runs the operation of a tool. Returns the body of its answer. Throws the errors of the operation. */
export async function callTool(
  handlers: BoundOperations,
  caller: Caller,
  name: ToolName,
  input: ToolInput,
): Promise<object> {
  const handler = handlers[name] as AnyHandler;
  const { body: answer } = await handler(caller, input);
  if (answer === null) throw new Error(`${name} has no answer for a tool.`);
  // A long answer is JSON text.
  return Buffer.isBuffer(answer) ? (JSON.parse(answer.toString()) as object) : answer;
}
