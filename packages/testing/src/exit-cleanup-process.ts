// A helper process: reads from its standard input what to clean up, and cleans up when that input ends.
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const pids = new Set<number>();
const directories = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  const { add, remove } = JSON.parse(line);
  if (add?.pid) pids.add(add.pid);
  if (add?.directory) directories.add(add.directory);
  if (remove?.pid) pids.delete(remove.pid);
}

for (const pid of pids) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!hasEnded) process.exitCode = 1;
  }
}
for (const directory of directories) {
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
