import { z } from 'zod';
import { type ErrorCode, type ErrorDetails, errorRecords, isErrorCode } from './records.ts';

/** An error on the wire. `code` determines the type of `details`. */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = {
  [Each in Code]: { code: Each; message: string; details: ErrorDetails<Each> };
}[Code];

/** The body of every error response (spec 00 §3). */
export interface ErrorEnvelope<Code extends ErrorCode = ErrorCode> {
  error: ErrorBody<Code>;
}

/** The shape of the error with one code. */
export function errorBodyShape(code: ErrorCode) {
  const { details, when } = errorRecords[code];
  return z
    .strictObject({
      code: z.literal(code),
      message: z.string().min(1).meta({ description: 'For people; not part of the contract.' }),
      details,
    })
    .meta({ id: `${toPascalCase(code)}Error`, description: when });
}

/** The shape of the envelope for one code. */
export function errorEnvelopeShape(code: ErrorCode) {
  return z.strictObject({ error: errorBodyShape(code) });
}

/** Parses an error with a known code and valid details; undefined for any other value, such as a code of a newer release. */
export function parseErrorBody(value: unknown): ErrorBody | undefined {
  const code = (value as { code?: unknown } | null | undefined)?.code;
  if (!isErrorCode(code)) return undefined;
  const parsed = errorBodyShape(code).safeParse(value);
  return parsed.success ? (parsed.data as ErrorBody) : undefined;
}

/** An example of an error, for the documents. */
export function exampleError(code: ErrorCode): { code: ErrorCode; message: string; details: unknown } {
  const { message, example } = errorRecords[code];
  return { code, message: example?.message ?? message, details: example?.details ?? {} };
}

/** The name of a type for a code: `scope_not_found` → `ScopeNotFound`. */
export function toPascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The answer to headers that no operation gets to see: `invalid_request` with a status of its own. */
export const headersTooLarge = {
  status: 431,
  code: 'invalid_request' satisfies ErrorCode,
  when: 'The request line and headers exceed 16 KiB.',
  advice: 'Send fewer or shorter headers.',
} as const;
