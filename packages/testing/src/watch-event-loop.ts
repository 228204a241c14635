/**
 * Loaded by `--import` into a process under test. On SIGUSR2 it prints a line `event loop <n>: <ms>`: the most processor time that
 * the main thread has used without a turn of its event loop, since the last such line. Unlike elapsed time, this does not grow
 * while other processes use the machine.
 */

/** A shorter interval costs processor time. A measured hold can be too long by the turns within two intervals. */
const tickMs = 5;
const microsecondsPerMs = 1_000;

let before = processorMs();
let longest = 0;
let lines = 0;

setInterval(() => {
  const now = processorMs();
  longest = Math.max(longest, now - before);
  before = now;
}, tickMs).unref();

process.on('SIGUSR2', () => {
  lines += 1;
  process.stdout.write(`event loop ${lines}: ${longest.toFixed(1)}\n`);
  longest = 0;
});

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / microsecondsPerMs;
}
