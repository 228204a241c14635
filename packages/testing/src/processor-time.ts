import { fileURLToPath } from 'node:url';
import type { RunningProcess } from './process.ts';

/**
 * Processor time in milliseconds that this process uses until `run` has ended. Unlike elapsed time, it does not grow
 * while other processes use the machine.
 */
export async function cpuTimeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The least `cpuTimeOf` of some runs. The others may compile, fill caches, or collect the garbage of earlier work. */
export async function leastCpuTimeOf(run: () => unknown, runs = 5): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < runs; count += 1) times.push(await cpuTimeOf(run));
  return Math.min(...times);
}

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
