// Loaded into a hook before its program (`node --import`): kills the process at the step of its files and requests that KILL_AT counts.
import fs from 'node:fs';
import http from 'node:http';

const killAt = Number(process.env['KILL_AT']);
let steps = 0;

type Step = (...args: never[]) => unknown;

/** Kills the process before the step, or halfway through a write. */
function patch(module: object, name: string, half?: (step: Step, args: unknown[]) => void): void {
  const steppable = module as Record<string, Step>;
  const step = steppable[name] as Step;
  steppable[name] = (...args) => {
    steps += 1;
    if (steps === killAt) {
      half?.(step, args);
      process.kill(process.pid, 'SIGKILL');
    }
    return step(...args);
  };
}

function writeHalf(step: Step, [path, content, ...options]: unknown[]): void {
  const written = String(content);
  step(...([path, written.slice(0, written.length / 2), ...options] as never[]));
}

for (const name of ['mkdirSync', 'renameSync', 'rmSync', 'utimesSync']) patch(fs, name);
for (const name of ['writeFileSync', 'appendFileSync']) patch(fs, name, writeHalf);
patch(http, 'request');
