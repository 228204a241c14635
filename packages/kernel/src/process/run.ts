import { SettingsError } from '../config/load.ts';
import type { Logger } from '../telemetry/logger.ts';
import { safeError } from '../telemetry/safe-error.ts';
import type { Resources } from './resources.ts';

/** A running process. */
interface RunningProcess {
  /** Closed at the stop. */
  resources: Resources;
  logger: Logger;
  /** Rejects on a failure that must end the process. */
  failed?: Promise<unknown>;
  /** Called at a signal, before the resources close: resolves when callers have had time to go elsewhere. */
  drain?: () => Promise<void>;
}

/** Time after the deadline of the close until the process ends by force, in milliseconds. */
const forceMs = 500;

/**
 * Starts a process and stops it on SIGTERM, SIGINT, or the end of a parent with an IPC channel. Exit codes: 0 after a clean stop, 1
 * after a failed start, a failure or a failed or late stop, 2 for an invalid setting.
 */
export async function runUntilSignal(name: string, start: () => Promise<RunningProcess>): Promise<void> {
  const stopRequested = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stopRequested.resolve(signal));
  process.on('disconnect', () => stopRequested.resolve('disconnect'));
  failWithoutValues(name);
  try {
    const running = await start();
    const reason = await Promise.race([stopRequested.promise, rejectOnFailure(running.failed)]);
    await running.drain?.();
    await stopWithin(running, reason);
    process.exit(0);
  } catch (error) {
    fail(name, error);
  }
}

/** Runs a command to its end. Exit codes: 0 after its end, 1 after a failure, 2 for an invalid setting. */
export async function runToEnd(name: string, work: () => Promise<void>): Promise<void> {
  failWithoutValues(name);
  try {
    await work();
  } catch (error) {
    fail(name, error);
  }
}

/** Message of a service process to its parent. */
export interface ReadyMessage {
  /** Address of a gateway; null for workers. */
  readyUrl: string | null;
}

/** Tells a parent with an IPC channel that this process serves. Has no effect without a parent. */
export function reportReady(readyUrl: string | null): void {
  if (process.connected) process.send?.({ readyUrl } satisfies ReadyMessage);
}

/** Node's default handler prints all fields of an error; those of PostgreSQL errors can hold row values. */
function failWithoutValues(name: string): void {
  process.on('uncaughtException', (error) => fail(name, error));
}

function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${formatError(error)}\n`);
  process.exit(error instanceof SettingsError ? 2 : 1);
}

/** Never resolves; rejects with the failure. */
function rejectOnFailure(failed: Promise<unknown> | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  failed?.catch(reject);
  return promise;
}

async function stopWithin({ resources, logger }: RunningProcess, reason: string): Promise<void> {
  logger.info({ reason }, 'stopping');
  const limit = setTimeout(() => {
    logger.error('the process did not stop in time and ends by force');
    process.exit(1);
  }, resources.totalMs + forceMs);
  await resources.close();
  clearTimeout(limit);
  logger.info('stopped');
}

function formatError(error: unknown): string {
  if (error instanceof SettingsError || error instanceof StartRefusedError) return error.message;
  const { type, message = '', stack = '', cause } = safeError(error);
  return [`${type} ${message}`, stack, ...(cause === undefined ? [] : [JSON.stringify(cause)])].join('\n');
}

/** Thrown when something outside the process forbids its start. The message is one sentence that says what to do. */
export class StartRefusedError extends Error {
  override name = 'StartRefusedError';
}

/** Where a server listens, and the setting that has the port. */
interface ListenAddress {
  host: string;
  port: number;
  setting: 'PORT' | 'METRICS_PORT' | 'WORKER_METRICS_PORT';
}

/** Settles like `listening`, but throws `StartRefusedError` if another program uses the port. */
export async function refuseUsedPort<T>(
  listening: Promise<T>,
  { host, port, setting }: ListenAddress,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartRefusedError(
      `Another program uses port ${port} of ${host}. Stop it, or set ${setting} to another port.`,
    );
  }
}
