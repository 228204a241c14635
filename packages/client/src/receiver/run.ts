import { maxRetryAfterSeconds, ServiceError } from '../errors.ts';
import { sleep } from '../retry.ts';
import type { ReceiverConfig } from './config.ts';
import { isTransient } from './errors.ts';
import { type Project, type Receiver, receiverOf, requireConfig, withLockedProject } from './receiver.ts';
import { type LastSync, writeLastSync } from './status.ts';
import { type Problem, type SyncReport, sync } from './sync.ts';

export interface RunOptions extends Project {
  /** Milliseconds between syncs. */
  intervalMs: number;
  /** Ends the run between two steps. */
  signal: AbortSignal;
  onStart(config: ReceiverConfig): void;
  onReport(report: SyncReport): void;
  /** A sync that failed and is repeated later. */
  onFault(error: Error): void;
}

/** Syncs until the signal aborts. Throws `ReceiverError`, and `ServiceError` with the status 401 after a revocation. */
export async function runReceiver(options: RunOptions): Promise<void> {
  const { intervalMs, signal, onStart, onReport, onFault } = options;
  await withReceiver(options, signal, async (receiver, config) => {
    onStart(config);
    let problems: Problem[] = [];
    await watch(receiver, {
      intervalMs,
      signal,
      async onReport(report) {
        problems = report.problems;
        onReport(report);
        await recordSync(receiver, { fault: null, problems });
      },
      async onFault(error) {
        onFault(error);
        await recordSync(receiver, { fault: error.message, problems });
      },
    });
  });
}

/** Syncs once. Throws as `sync` does. */
export async function syncOnce(options: Project, signal: AbortSignal): Promise<SyncReport> {
  return await withReceiver(options, signal, async (receiver) => {
    const report = await sync(receiver);
    await recordSync(receiver, { fault: null, problems: report.problems });
    return report;
  });
}

async function withReceiver<Result>(
  options: Project,
  signal: AbortSignal,
  work: (receiver: Receiver, config: ReceiverConfig) => Promise<Result>,
): Promise<Result> {
  return await withLockedProject(options, async (project) => {
    const config = await requireConfig(project.workspace, project.agent);
    return await work(receiverOf(project, config, signal), config);
  });
}

/** Best effort: a full disk must not end the watch. The status then shows an earlier sync. */
async function recordSync(receiver: Receiver, entry: Omit<LastSync, 'at'>): Promise<void> {
  await writeLastSync(receiver, entry).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}

interface WatchOptions {
  intervalMs: number;
  /** Ends the watch between two steps. */
  signal: AbortSignal;
  onReport(report: SyncReport): Promise<void> | void;
  /** A sync that failed and is repeated later. */
  onFault(error: Error): Promise<void> | void;
}

/** Syncs until the signal aborts. Throws errors that do not pass by themselves, such as `ServiceError` with the status 401. */
async function watch(
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

const firstBackOffMs = 5_000;
const maxBackOffMs = 300_000;
/** Maximum random change of a delay, as a fraction, so that many Receivers do not sync at once. */
const maxSpread = 0.1;

/**
 * Milliseconds until the next sync: the interval, or an exponential back-off after failures. At least `Retry-After`, of which at most 15
 * minutes count. `failures` counts consecutive failed syncs.
 */
export function nextDelayMs(
  {
    failures,
    intervalMs,
    retryAfterSeconds,
  }: { failures: number; intervalMs: number; retryAfterSeconds: number },
  random: () => number = Math.random,
): number {
  const base = failures === 0 ? intervalMs : Math.min(maxBackOffMs, firstBackOffMs * 2 ** (failures - 1));
  const spread = base * (1 + maxSpread * (2 * random() - 1));
  return Math.max(spread, Math.min(retryAfterSeconds, maxRetryAfterSeconds) * 1_000);
}
