import { ServiceError } from '../errors.ts';
import { sleep } from '../sleep.ts';
import { isTransient } from './errors.ts';
import { nextDelayMs } from './next-delay.ts';
import type { Receiver } from './receiver.ts';
import type { SyncReport } from './report.ts';
import { sync } from './sync.ts';

export interface WatchOptions {
  intervalMs: number;
  /** Ends the watch between two steps. */
  signal: AbortSignal;
  onReport(report: SyncReport): Promise<void> | void;
  /** A sync that failed and is repeated later. */
  onFault(error: Error): Promise<void> | void;
}

/** Syncs until the signal aborts. Throws errors that do not pass by themselves, such as `ServiceError` with the status 401. */
export async function watch(
  receiver: Receiver,
  { intervalMs, signal, onReport, onFault }: WatchOptions,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let retryAfterSeconds = 0;
    try {
      const report = await sync(receiver);
      failures = report.hasFailed ? failures + 1 : 0;
      retryAfterSeconds = report.retryAfterSeconds;
      await onReport(report);
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      failures += 1;
      retryAfterSeconds = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) : 0;
      await onFault(error as Error);
    }
    const delayMs = nextDelayMs({ failures, intervalMs, retryAfterSeconds });
    await sleep(delayMs, signal).catch((reason: unknown) => {
      if (!signal.aborted) throw reason;
    });
  }
}
