// Loaded into a gateway process by `--import`. On SIGUSR2 it prints how much processor time the main thread used at most between two
// turns of its event loop, in ms, since the last time. Unlike elapsed time, it does not grow while other processes use the machine.

let last = process.threadCpuUsage();
let longest = 0;

function turn(): void {
  const { user, system } = process.threadCpuUsage(last);
  longest = Math.max(longest, (user + system) / 1_000);
  last = process.threadCpuUsage();
  setTimeout(turn, 1).unref();
}

turn();

process.on('SIGUSR2', () => {
  process.stdout.write(`longest turn: ${longest.toFixed(1)} ms\n`);
  longest = 0;
});
