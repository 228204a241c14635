import { parentPort } from 'node:worker_threads';
import { threadIsReady } from './thread.ts';

/** Answers the tasks of the pool that this module is a thread of. A task that throws ends the thread. */
export function serveTasks<Task, Result>(answer: (task: Task) => Result | Promise<Result>): void {
  if (parentPort === null) throw new Error('This module runs as a thread of a pool.');
  const port = parentPort;
  port.on('message', async (task: Task) => port.postMessage(await answer(task)));
  port.postMessage(threadIsReady);
}
