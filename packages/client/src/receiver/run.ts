import type { ReceiverConfig } from './config.ts';
import { isTransient } from './errors.ts';
import { type LastSync, writeLastSync } from './last-sync.ts';
import { type Project, receiverOf, requireConfig, withLockedProject } from './open-project.ts';
import type { Receiver } from './receiver.ts';
import type { Problem, SyncReport } from './report.ts';
import { sync } from './sync.ts';
import { watch } from './watch.ts';

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
    const config = await requireConfig(project.files, project.workspace);
    return await work(receiverOf(project, config, signal), config);
  });
}

/** Best effort: a full disk must not end the watch. The status then shows an earlier sync. */
async function recordSync(receiver: Receiver, entry: Omit<LastSync, 'at'>): Promise<void> {
  await writeLastSync(receiver, entry).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}
