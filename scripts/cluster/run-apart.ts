// Builds the image, and runs Vitest in namespaces of its own: for processes, the network and mounts. Whatever the tests start, mount or
// listen on ends with them, also if they are killed. A lock keeps two checkouts from using the store of images at a time.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cgroupFolders, podmanCgroup, podsCgroup } from './cgroups.ts';
import { namespaceFlags } from './machine.ts';
import { storeLock } from './podman.ts';

/** Folder of what the tests write, such as the files of a cluster. */
const folder = mkdtempSync(join(tmpdir(), 'continuity-cluster-'));

/** The shell is process 1, which takes over the orphans of containers. */
const init = `
mount -t tmpfs none /run
mount --make-rshared /
ip link set lo up
"$@"
exit $?
`;

const build = 'node=$1; shift; "$node" scripts/cluster/build-image.ts && exec "$@"';
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.cluster.config.ts'];
const apart = ['unshare', ...namespaceFlags, 'bash', '-c', init, 'bash', process.execPath, ...vitest];

const child = spawn(
  'flock',
  [storeLock, 'bash', '-c', build, 'bash', process.execPath, ...apart, ...process.argv.slice(2)],
  { stdio: 'inherit', detached: true, env: { ...process.env, CLUSTER_FOLDER: folder } },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.kill(-(child.pid ?? process.pid), 'SIGKILL'));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
  removeCgroups();
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

/** Removes the cgroups of the containers, whose processes have ended. What is in use still is of no harm. */
function removeCgroups(): void {
  for (const path of cgroupFolders().flatMap((parent) =>
    [podmanCgroup, podsCgroup].map((name) => join(parent, name)),
  )) {
    try {
      removeTree(path);
    } catch {}
  }
}

function removeTree(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(path, entry.name));
  rmdirSync(path);
}
