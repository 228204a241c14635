import { isUtf8 } from 'node:buffer';
import { type ErrorBody, isObject, maxBodyValuesOf } from '@continuity/contract';
import { isToolName, type ToolName } from '@continuity/contract/mcp';
import { ServiceError } from '@continuity/kernel/errors';
import { checkJsonSize } from '@continuity/kernel/json';
import { readToolInput, type ToolInput, toolOperations } from './call-tool.ts';

/** Codes of JSON-RPC. Threads read messages without the library of the protocol. */
const parseError = -32_700;
const invalidRequest = -32_600;

/** Limit of a message without the arguments of its tool, in bytes. */
const maxEnvelopeBytes = 64 * 1024;

/** Limit of the values of a message: the arguments of the largest tool, and JSON-RPC around them. */
const maxValues = Math.max(...toolOperations.map(maxBodyValuesOf)) + 100;

/** The JSON-RPC error of a body that holds no single message. */
interface RefusedMessage {
  isRefused: true;
  error: { jsonrpc: '2.0'; id: null; error: { code: number; message: string } };
}

/** The call of a known tool, with its validated input or the error to answer. */
export type ToolCall = { name: ToolName } & ({ input: ToolInput } | { error: ErrorBody });

interface Message {
  isRefused: false;
  /** The message. A call of a tool has no arguments here. */
  value: unknown;
  /** Null for all but calls of known tools. */
  call: ToolCall | null;
}

export type ReadMessage = RefusedMessage | Message;

/**
 * Parses a body and validates the arguments of its tool. Refuses batches, which stateless MCP does not have (spec 00 §9).
 *
 * @param scope the Scope of a call that names none
 */
export function readMessage(body: Uint8Array, scope?: string): ReadMessage {
  if (!isUtf8(body)) return refuse(parseError, 'The body is not JSON.');
  const tooLarge = checkJsonSize(body, maxValues);
  if (tooLarge !== undefined) return refuse(invalidRequest, tooLarge);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch {
    return refuse(parseError, 'The body is not JSON.');
  }
  if (Array.isArray(value))
    return refuse(invalidRequest, 'Send one message a request: batches are not supported.');
  const { envelope, name, args } = takeArguments(value);
  const bytes = body.length > maxEnvelopeBytes ? Buffer.byteLength(JSON.stringify(envelope)) : 0;
  if (bytes > maxEnvelopeBytes) {
    return refuse(
      invalidRequest,
      `A message without the arguments of a tool has at most ${maxEnvelopeBytes} bytes, and this one has ${bytes}.`,
    );
  }
  return { isRefused: false, value: envelope, call: isToolName(name) ? readCall(name, args, scope) : null };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

interface ToolRequest {
  method: string;
  params: { name: string; arguments?: Record<string, unknown> | null };
}

/** Separates the arguments of a call from its message, which the library reads in full. */
function takeArguments(message: unknown): { envelope: unknown; name: string; args: Record<string, unknown> } {
  if (!isToolRequest(message)) return { envelope: message, name: '', args: {} };
  const { arguments: args, ...params } = message.params;
  return { envelope: { ...message, params }, name: params.name, args: args ?? {} };
}

/** False for arguments that are no object: the library refuses them. */
function isToolRequest(message: unknown): message is ToolRequest {
  if (!isObject(message) || message['method'] !== 'tools/call' || !isObject(message['params'])) return false;
  const { name, arguments: args } = message['params'];
  return typeof name === 'string' && isObject(args ?? {});
}

function readCall(name: ToolName, args: Record<string, unknown>, scope: string | undefined): ToolCall {
  try {
    return { name, input: readToolInput(name, args, scope) };
  } catch (error) {
    if (error instanceof ServiceError) return { name, error: error.toBody() };
    throw error;
  }
}

function refuse(code: number, message: string): RefusedMessage {
  return { isRefused: true, error: { jsonrpc: '2.0', id: null, error: { code, message } } };
}
