import type { FailureState } from '@continuity/contract/remote-skills';
import { InvalidPackageError } from '@continuity/skill-packages';
import { ConnectionError, ServiceError, UnexpectedAnswerError } from '../errors.ts';

/** `error_code` of each failure state (spec 40 §10). */
export const errorCodes: Readonly<Record<FailureState, string>> = {
  delivery_failed: 'local_delivery_failed',
  conflict: 'local_conflict',
  drifted: 'drifted',
  incompatible: 'incompatible_package',
};

/** An action that failed. Its receipt contains the state. The message stays on this machine. */
export class ActionFailure extends Error {
  override readonly name = 'ActionFailure';
  readonly state: FailureState;

  constructor(state: FailureState, message: string, options?: ErrorOptions) {
    super(message, options);
    this.state = state;
  }
}

/** Stops the Receiver. The message says what the user can do. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError';
}

/** Something else is where a folder or a file of this user must be, such as a link, a FIFO, or a folder of another user. */
export class UnexpectedEntryError extends ReceiverError {}

/** The publication of the Skill has changed since the service sent the action. */
export class StaleActionError extends Error {
  override readonly name = 'StaleActionError';
}

/** Error codes that mean that something else is at the path of a package. */
const takenCodes = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'];

/** Converts an error of an action to its failure. Throws errors that stop the whole sync. */
export function toActionFailure(error: unknown): ActionFailure {
  if (error instanceof ActionFailure) return error;
  if (error instanceof UnexpectedEntryError) return failure('conflict', error);
  if (error instanceof InvalidPackageError) return failure('incompatible', error);
  const code = systemCodeOf(error);
  if (code !== undefined) return failure(takenCodes.includes(code) ? 'conflict' : 'delivery_failed', error);
  if (isTransient(error)) return failure('delivery_failed', error);
  throw error;
}

function failure(state: FailureState, cause: unknown): ActionFailure {
  return new ActionFailure(state, (cause as Error).message, { cause });
}

/** Whether a later sync may succeed where this one failed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status !== 401;
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError) return true;
  if ((error as { name?: unknown } | null)?.name === 'TimeoutError') return true;
  return systemCodeOf(error) !== undefined;
}

/** The code of an error of the operating system, such as `ENOSPC`. */
export function systemCodeOf(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return error instanceof Error && typeof code === 'string' && typeof syscall === 'string' ? code : undefined;
}

/** Creates a handler for rejections that ignores some error codes of the operating system. */
export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    const code = systemCodeOf(error);
    if (code === undefined || !codes.includes(code)) throw error;
    return undefined;
  };
}
