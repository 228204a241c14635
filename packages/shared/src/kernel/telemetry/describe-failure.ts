import { ServiceError } from '../errors/index.ts';

/** SQLSTATE, socket code or library code: a short word without content. */
const shortCode = /^[A-Za-z0-9_.]{1,64}$/;

/** The code of a failure, and whether the service is at fault. A caller's mistake is not its fault. */
export function describeFailure(error: unknown): { type: string; isFault: boolean } {
  if (error instanceof ServiceError) return { type: error.code, isFault: error.status >= 500 };
  return { type: codeOf(error) ?? nameOf(error), isFault: true };
}

/** The `code` of an error, if it is a word. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && shortCode.test(code) ? code : undefined;
}

/** The class name of an error. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === 'Error' ? error.constructor.name : error.name;
}
