import { fileURLToPath } from 'node:url';
import type { RunningProcess } from './process.ts';

/** Arguments of Node that watch the event loop of a process; see `longestHold`. */
export const watchEventLoop = ['--import', fileURLToPath(new URL('./watch-event-loop.ts', import.meta.url))];

/** Returns a function for the longest block of a watched process's event loop since its last call, in ms of processor time. */
export function longestHold(watched: RunningProcess): () => Promise<number> {
  let calls = 0;
  return async () => {
    calls += 1;
    watched.kill('SIGUSR2');
    const line = await watched.waitForLine(`event loop ${calls}: `);
    return Number(line.split(': ')[1]);
  };
}
