import { parentPort, type Transferable } from 'node:worker_threads';
import { readyMessage } from './thread.ts';

/**
 * Runs in the module of a pool's thread: answers its tasks with `run`. A task that throws ends the thread. `transferOf` lists the
 * buffers of a result that move to the caller instead of being copied.
 */
export function serveTasks<Task, Result>(
  run: (task: Task) => Result,
  transferOf: (result: Result) => readonly Transferable[] = () => [],
): void {
  if (parentPort === null) throw new Error('Load this module as a thread of a pool.');
  const port = parentPort;
  port.on('message', (task: Task) => {
    const result = run(task);
    port.postMessage(result, transferOf(result));
  });
  port.postMessage(readyMessage);
}
