import { SettingsError } from './config/index.ts';
import { type Logger, safeError } from './telemetry/index.ts';

/** A process that has started. */
export interface Running {
  stop(): Promise<void>;
  /** How long `stop` may take. */
  graceMs: number;
  logger: Logger;
  /** Rejects when the process cannot go on. */
  failed?: Promise<unknown>;
}

/** Beyond the grace period that work gets, for closing connections. */
const closingMs = 5_000;

/**
 * Starts, then runs until SIGTERM, SIGINT, or the end of the parent that has an IPC channel to this process. Exits with 0
 * after a clean stop, with 1 when the start or the stop failed or took too long, with 2 for a wrong setting.
 */
export async function runUntilSignal(name: string, start: () => Promise<Running>): Promise<void> {
  const stopAsked = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopAsked.resolve(signal));
  process.on('disconnect', () => stopAsked.resolve('disconnect'));
  // Node would print every field of the error, and PostgreSQL puts the values of a row into one.
  process.on('uncaughtException', (error) => fail(name, error));
  try {
    const running = await start();
    const reason = await Promise.race([stopAsked.promise, failureOf(running.failed)]);
    await stopWithin(running, reason);
    process.exit(0);
  } catch (error) {
    fail(name, error);
  }
}

function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${explain(error)}\n`);
  process.exit(error instanceof SettingsError ? 2 : 1);
}

/** Never resolves; rejects with the failure. */
function failureOf(failed: Promise<unknown> | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  failed?.catch(reject);
  return promise;
}

async function stopWithin({ stop, graceMs, logger }: Running, reason: string): Promise<void> {
  logger.info({ reason }, 'stopping');
  const limit = setTimeout(() => {
    logger.error('the stop took too long');
    process.exit(1);
  }, graceMs + closingMs);
  await stop();
  clearTimeout(limit);
  logger.info('stopped');
}

function explain(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { type, message = '', stack = '', cause } = safeError(error);
  return [`${type} ${message}`, stack, ...(cause === undefined ? [] : [JSON.stringify(cause)])].join('\n');
}
