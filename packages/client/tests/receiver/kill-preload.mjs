// Preloaded before the Receiver: numbers its steps on the file system, and kills the process before one of them. A step is a call that
// changes something. Writing a file is two: a kill before the second one leaves the first half of its content.
import { writeSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { pathOf } from './descriptor-paths.ts';

const killAt = Number(process.env.KILL_AT);
const steps = [];

/** Counts a step, or kills the process before it, once the half before it is done. */
function step(label, half = () => {}) {
  steps.push(label);
  if (steps.length !== killAt) return;
  half();
  process.kill(process.pid, 'SIGKILL');
}

for (const name of ['rename', 'unlink', 'rmdir', 'mkdir', 'link']) {
  const original = fs[name];
  fs[name] = async (...args) => {
    const paths = args.filter((arg) => typeof arg === 'string').map(pathOf);
    step(`${name} ${paths.join(' ')}`);
    return await original(...args);
  };
}

const open = fs.open;
fs.open = async (path, flags, ...rest) => {
  const isRead = flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);
  const label = pathOf(path);
  if (!isRead) step(`open ${label}`);
  const handle = await open(path, flags, ...rest);
  const { writeFile } = handle;
  handle.writeFile = async (content) => {
    step(`write ${label}`);
    const bytes = Buffer.from(content);
    step(`write the rest of ${label}`, () => writeSync(handle.fd, bytes.subarray(0, bytes.length >> 1)));
    return await writeFile.call(handle, bytes);
  };
  return handle;
};

syncBuiltinESMExports();
process.on('exit', () => process.stdout.write(JSON.stringify(steps)));
