/**
 * Loaded by `--import` into a process under test. On SIGUSR2 it prints a line `event loop <n>: <ms>`: the most processor time that
 * the main thread has used without a turn of its event loop, since the last such line. Unlike elapsed time, this does not grow
 * while other processes use the machine.
 */

/** Each tick takes processor time of the test. A hold is measured with up to so much time of the turns around it. */
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
