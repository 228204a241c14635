import { z } from 'zod';
import { type ErrorCode, type ErrorDetails, errorRecords, isErrorCode } from './records.ts';

/** An error as callers get it: `code` tells which `details` there are. */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = {
  [Each in Code]: { code: Each; message: string; details: ErrorDetails<Each> };
}[Code];

/** The body of every error answer (spec 00 §3). */
export interface ErrorEnvelope<Code extends ErrorCode = ErrorCode> {
  error: ErrorBody<Code>;
}

/** The shape of an error of one code. */
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

/** The shape of the envelope of one code. */
export function errorEnvelopeShape(code: ErrorCode) {
  return z.strictObject({ error: errorBodyShape(code) });
}

/** The error of a known code whose details fit; undefined for anything else, such as a code of a newer release. */
export function parseErrorBody(value: unknown): ErrorBody | undefined {
  const code = (value as { code?: unknown } | null | undefined)?.code;
  if (!isErrorCode(code)) return undefined;
  const parsed = errorBodyShape(code).safeParse(value);
  return parsed.success ? (parsed.data as ErrorBody) : undefined;
}

/** An error of the code, for the documents. */
export function exampleError(code: ErrorCode): { code: ErrorCode; message: string; details: unknown } {
  const { message, example } = errorRecords[code];
  return { code, message: example?.message ?? message, details: example?.details ?? {} };
}

/** `scope_not_found` → `ScopeNotFound` */
function toPascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
