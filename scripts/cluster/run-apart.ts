// Builds the images, and runs Vitest, each in namespaces of its own. Whatever they start, mount or listen on ends with them, also if this
// process is killed. A lock keeps two runs from using the store of images at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupFolders, podmanCgroup, podsCgroup } from './cgroups.ts';
import { buildNamespaceFlags, namespaceFlags } from './machine.ts';
import { testFolder } from './node-settings.ts';
import { createImageStore, runRoot, storeLock } from './podman.ts';

const buildMounts = `mkdir -p ${runRoot}; mount -t tmpfs none ${runRoot}`;
const testMounts = 'mount -t tmpfs none /run; mount --make-rshared /; ip link set lo up';
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.cluster.config.ts'];
let end = (): void => undefined;

for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const)
  process.on(signal, () => {
    process.exitCode = 128 + number;
    end();
  });

await createImageStore();
const unlock = await lockStore();
await removeLeftovers();
mkdirSync(testFolder, { mode: 0o700 });
const status =
  (await runApart(buildNamespaceFlags, buildMounts, ['scripts/cluster/build-images.ts'])) ||
  (await runApart(namespaceFlags, testMounts, [...vitest, ...process.argv.slice(2)]));
process.exitCode ??= status;
await removeLeftovers();
unlock();

/** Waits for the lock. It is held by a process that ends with this one. */
async function lockStore(): Promise<() => void> {
  const holder = spawn('flock', [storeLock, 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  end = () => void holder.kill();
  const notice = setTimeout(() => process.stdout.write('Waiting for another run of this test …\n'), 2_000);
  const ended = once(holder, 'exit').then(() => process.exit(process.exitCode ?? 1));
  await Promise.race([once(holder.stdout, 'data'), ended]);
  clearTimeout(notice);
  end = () => undefined;
  holder.removeAllListeners('exit');
  return () => holder.stdin.end();
}

/**
 * Runs Node in namespaces after the commands `mounts`, and resolves to its exit code. The shell is process 1 of the namespaces, which takes
 * over the orphans of containers. If it dies, all other processes of the namespaces die too.
 */
async function runApart(flags: readonly string[], mounts: string, args: readonly string[]): Promise<number> {
  if (process.exitCode !== undefined) return 1;
  const shell = ['bash', '-c', `${mounts}; "$@"; exit $?`, 'bash', process.execPath, ...args];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...flags, ...shell], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, CLUSTER_FOLDER: testFolder },
  });
  end = () => void child.kill('SIGKILL');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Removes the files and the cgroups of a run whose processes have ended, or end at this moment. */
async function removeLeftovers(): Promise<void> {
  const retries = { maxRetries: 50, retryDelay: 100 };
  rmSync(testFolder, { recursive: true, force: true, ...retries });
  const cgroups = cgroupFolders().flatMap((parent) =>
    [podmanCgroup, podsCgroup].map((name) => join(parent, name)),
  );
  for (let tries = 50; tries > 0 && cgroups.some(existsSync); tries -= 1) {
    for (const path of cgroups) removeCgroup(path);
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** A cgroup that is in use, or that the kernel has removed meanwhile, stays as it is. */
function removeCgroup(path: string): void {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeCgroup(join(path, entry.name));
    rmdirSync(path);
  } catch (error) {
    if (!['EBUSY', 'ENOENT', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
