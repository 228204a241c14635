import { ServiceError } from '../errors/index.ts';

/** An SQLSTATE, a socket's or a library's code: a short word of no content. */
const shortCode = /^[A-Za-z0-9_.]{1,64}$/;

/** A failure in one word, and whether the service is to blame: a caller's mistake is none. */
export function describeFailure(error: unknown): { type: string; isFault: boolean } {
  if (error instanceof ServiceError) return { type: error.code, isFault: error.status >= 500 };
  return { type: codeOf(error) ?? nameOf(error), isFault: true };
}

/** The `code` of an error where it is a word. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && shortCode.test(code) ? code : undefined;
}

/** What kind of error it is. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === 'Error' ? error.constructor.name : error.name;
}
