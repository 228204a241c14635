import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { lowerGarbageCollectionPriority, lowerThreadPriority } from '../../src/threads/priority.ts';

// A program that prints the niceness of its event loop, of a thread, and of V8's threads.

if (isMainThread) {
  lowerGarbageCollectionPriority();
  const [thread] = await once(new Worker(new URL(import.meta.url)), 'message');
  const collectors = readdirSync('/proc/self/task')
    .filter((id) => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('V8Worker'))
    .map((id) => getPriority(Number(id)));
  process.stdout.write(JSON.stringify({ loop: getPriority(), thread, collectors }));
} else {
  lowerThreadPriority();
  parentPort?.postMessage(getPriority());
}
