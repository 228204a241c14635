// Runs as a process of its own: learns on its standard input what to clean up, and does so when that input ends.
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const pids = new Set<number>();
const directories = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  const { hold, release } = JSON.parse(line);
  if (hold?.pid) pids.add(hold.pid);
  if (hold?.directory) directories.add(hold.directory);
  if (release?.pid) pids.delete(release.pid);
}

for (const pid of pids) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) process.exitCode = 1;
  }
}
for (const directory of directories) {
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
