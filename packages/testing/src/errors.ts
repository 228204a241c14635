import { type ErrorCode, errorCodes, errorEnvelopeShape } from '@continuity/contract';
import { z } from 'zod';

/** An error as it came over the wire. Its details fit the record of its code. */
export interface ReceivedError {
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
}

const anyEnvelope = z.object({ error: z.object({ code: z.enum(errorCodes) }) });

/** The error of an envelope. Throws unless its code has a record, and the envelope is exactly as that record says. */
export function readError(json: unknown): ReceivedError {
  const { code } = anyEnvelope.parse(json).error;
  const parsed = errorEnvelopeShape(code).safeParse(json);
  if (parsed.success) return parsed.data.error as ReceivedError;
  throw new Error(
    `The record of ${code} does not allow ${JSON.stringify(json)}: ${z.prettifyError(parsed.error)}`,
  );
}
