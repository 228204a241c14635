import { bodyLimitOf, maxBodyValuesOf, type OperationSpec } from '@continuity/contract';
import type { EmptyReason } from '@continuity/contract/context';
import { emptyWords } from '@continuity/contract/empty-words';
import { fitToolArguments, type ToolName, toolTable } from '@continuity/contract/mcp';
import { operationTable } from '@continuity/contract/operations';
import { requireNoIssues, serviceError } from '@continuity/kernel/errors';
import { findJsonIssues } from '@continuity/kernel/json';
import type { Caller } from '@continuity/shared/handlers';
import type { BoundOperations } from '../bind-handlers.ts';
import { parseBody, prepareBody } from '../bodies/parse-body.ts';
import { validate } from '../http/validate.ts';

/** The operations that are tools. */
export const toolOperations: OperationSpec[] = Object.keys(toolTable).map(
  (name) => operationTable[name as ToolName],
);

/** Input for the handler of a tool's operation. */
export interface ToolInput {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/**
 * Applies the limits and the validation of HTTP to the arguments of a tool. Throws the errors of its operation.
 *
 * @param scope the Scope of a call that names none
 */
export function readToolInput(name: ToolName, args: Record<string, unknown>, scope?: string): ToolInput {
  const operation: OperationSpec = operationTable[name];
  const given = fitToolArguments(name, readArguments(operation, args), scope);
  const { params, query, body } = splitArguments(operation, given);
  return {
    params: operation.params && validate(operation.params, params),
    query: operation.query && validate(operation.query, query),
    headers: operation.headers && validate(operation.headers, {}),
    body: prepareBody(operation, params, () => body),
  };
}

/** Applies the rules of HTTP bodies, by reading the arguments as such a body. */
function readArguments(operation: OperationSpec, args: Record<string, unknown>): Record<string, unknown> {
  // A number outside the IEEE double range would become null in the body.
  requireNoIssues(findJsonIssues(args));
  const bytes = Buffer.from(JSON.stringify(args));
  const limit = bodyLimitOf(operation);
  if (bytes.length > limit) {
    throw serviceError('body_too_large', {
      message: `The arguments have ${bytes.length} bytes, and the limit is ${limit}. Send smaller ones.`,
      details: { limit_bytes: limit },
    });
  }
  return parseBody(bytes, maxBodyValuesOf(operation)) as Record<string, unknown>;
}

/** What no other part takes is the body's, or the query's where there is none, so that its shape refuses unknown arguments. */
function splitArguments({ params, query, body }: OperationSpec, args: Record<string, unknown>) {
  const takes = (shape: OperationSpec['params'], name: string) =>
    shape !== undefined && Object.hasOwn(shape.shape, name);
  const entries = Object.entries(args);
  const inPath = entries.filter(([name]) => takes(params, name));
  const inQuery = entries.filter(([name]) => takes(query, name));
  const others = entries.filter(([name]) => !takes(params, name) && !takes(query, name));
  if (body === undefined)
    requireNoIssues(others.map(([path]) => ({ path, message: 'is not a field of this request' })));
  return {
    params: Object.fromEntries(inPath),
    // Parameters of a URL are text.
    query: Object.fromEntries(inQuery.map(([name, value]) => [name, isText(value) ? String(value) : value])),
    body: Object.fromEntries(others),
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

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

/** The fields of answers that can be empty, or a part of more. */
interface Answer {
  reason?: EmptyReason;
  entries?: unknown[];
  next_cursor?: string | null;
  next_offset?: number | null;
  other_memories?: number;
}

/**
 * Says what an answer does not show, for a model that takes a page for everything and an empty list for a fact: why there are no hits,
 * entries or content, and that more follows (spec 00 §9). Undefined for a complete answer.
 */
export function wordsForMissing(body: unknown, answer: object): string | undefined {
  const { scope_id: scopeId, kind } = (body ?? {}) as { scope_id?: string; kind?: string | null };
  if (scopeId === undefined) return undefined;
  const { reason, entries, next_cursor, next_offset, other_memories = 0 } = answer as Answer;
  if (reason !== undefined) return emptyWords(reason, scopeId);
  const words: string[] = [];
  if (typeof next_cursor === 'string') {
    words.push('This is one page, and more follow: pass its `next_cursor` as `cursor`.');
  } else if (entries?.length === 0 && other_memories === 0) {
    words.push(kind ? 'No entry of this kind follows.' : emptyWords('no_memory', scopeId));
  }
  if (typeof next_offset === 'number') {
    words.push('This is a part of the file, and more follows: pass `next_offset` as `offset`.');
  }
  if (other_memories > 0) words.push(otherMemoryWords(other_memories));
  return words.length === 0 ? undefined : words.join(' ');
}

/** Says that a list of entries lacks those of other Memories of the Scope. */
export function otherMemoryWords(count: number): string {
  return `The Scope has ${count} other Memory Artifact${count === 1 ? '' : 's'}, whose entries are not listed here: search_memory finds them.`;
}
