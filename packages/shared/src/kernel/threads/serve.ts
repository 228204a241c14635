import { parentPort } from 'node:worker_threads';
import { readyMessage } from './thread.ts';

/** Runs in the module of a pool's thread: answers its tasks with `run`. A task that throws ends the thread. */
export function serveTasks<Task, Result>(run: (task: Task) => Result): void {
  if (parentPort === null) throw new Error('Load this module as a thread of a pool.');
  const port = parentPort;
  port.on('message', (task: Task) => port.postMessage(run(task)));
  port.postMessage(readyMessage);
}
