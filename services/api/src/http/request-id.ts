import { randomBytes } from 'node:crypto';

/** On every answer; behind OpenTelemetry it is the trace id of the request (spec 00 §2). */
export const requestIdHeader = 'X-Service-Request-ID';

/** A new id: 32 hex digits, as a W3C trace id. */
export function newRequestId(): string {
  return randomBytes(16).toString('hex');
}
