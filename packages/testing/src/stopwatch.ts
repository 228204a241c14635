const tickMs = 20;

/** Shorter delays are those of every busy machine. */
const shortMs = 100;

let stalledMs = 0;
let last = { at: performance.now(), cpuMs: cpuMs() };
let isTicking = false;

/**
 * Starts a stopwatch. The returned function answers the milliseconds since then without those in which the machine did not run this
 * process. Time in which this process itself was busy counts.
 */
export function startStopwatch(): () => number {
  // Not referenced, so that it keeps no process alive.
  if (!isTicking) setInterval(tick, tickMs).unref();
  isTicking = true;
  tick();
  const from = performance.now() - stalledMs;
  return () => {
    tick();
    return performance.now() - stalledMs - from;
  };
}

function tick(): void {
  const now = { at: performance.now(), cpuMs: cpuMs() };
  const waitedMs = now.at - last.at - tickMs - (now.cpuMs - last.cpuMs);
  if (waitedMs > shortMs) stalledMs += waitedMs;
  last = now;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
