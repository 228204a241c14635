// Preloaded before the Receiver: numbers its steps on the file system, and kills the process before one of them. A step is a call that
// changes something. Writing a file and removing a folder are two: a kill before the second one leaves the first half of the work.
import { rmSync, writeSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const killAt = Number(process.env.KILL_AT);
const steps = [];

/** Counts a step, or kills the process before it, once the half before it is done. */
function step(label, half = () => {}) {
  steps.push(label);
  if (steps.length !== killAt) return;
  half();
  process.kill(process.pid, 'SIGKILL');
}

for (const name of ['rename', 'rm', 'rmdir', 'mkdir', 'link', 'chmod']) {
  const original = fs[name];
  fs[name] = async (...args) => {
    const paths = args.filter((arg) => typeof arg === 'string').join(' ');
    step(`${name} ${paths}`);
    if (args[1]?.recursive && name === 'rm') {
      step(`rm the rest of ${paths}`, () => rmSync(join(args[0], 'SKILL.md'), { force: true }));
    }
    return await original(...args);
  };
}

const open = fs.open;
fs.open = async (path, flags, ...rest) => {
  const isRead = flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);
  if (!isRead) step(`open ${path}`);
  const handle = await open(path, flags, ...rest);
  const { writeFile } = handle;
  handle.writeFile = async (content) => {
    step(`write ${path}`);
    const bytes = Buffer.from(content);
    step(`write the rest of ${path}`, () => writeSync(handle.fd, bytes.subarray(0, bytes.length >> 1)));
    return await writeFile.call(handle, bytes);
  };
  return handle;
};

syncBuiltinESMExports();
process.on('exit', () => process.stdout.write(JSON.stringify(steps)));
