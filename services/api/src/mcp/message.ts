import { isUtf8 } from 'node:buffer';
import { checkJsonSize } from '@continuity/shared/kernel';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The JSON-RPC error of a body that holds no single message. */
interface RefusedMessage {
  isRefused: true;
  error: { jsonrpc: '2.0'; id: null; error: { code: number; message: string } };
}

/** Parses a body of at most `maxValues` JSON values. Refuses batches, which stateless MCP does not have (spec 00 §9). */
export function readMessage(
  body: Buffer | undefined,
  maxValues: number,
): RefusedMessage | { isRefused: false; value: unknown } {
  if (body === undefined || !isUtf8(body))
    return refuse(ProtocolErrorCode.ParseError, 'The body is not JSON.');
  const tooLarge = checkJsonSize(body, maxValues);
  if (tooLarge !== undefined) return refuse(ProtocolErrorCode.InvalidRequest, tooLarge);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return refuse(ProtocolErrorCode.ParseError, 'The body is not JSON.');
  }
  if (Array.isArray(value)) {
    return refuse(ProtocolErrorCode.InvalidRequest, 'Send one message a request: batches are not supported.');
  }
  return { isRefused: false, value };
}

function refuse(code: number, message: string): RefusedMessage {
  return { isRefused: true, error: { jsonrpc: '2.0', id: null, error: { code, message } } };
}
