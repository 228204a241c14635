import { spawn } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolDirectory } from '../../packages/testing/src/tools.ts';
import { runProgram } from './run-program.ts';

/** Folder of the images of the cluster test. They have a store of their own, apart from the images of this user. */
const store = toolDirectory('cluster-images');

/** Lock of a run that uses the store. Its folder exists after `createImageStore`. */
export const storeLock = join(store, 'lock');

/** State of running containers. Each run mounts a new file system there, which ends with it. */
export const runRoot = '/run/continuity-cluster-podman';

/** `crun` of Debian 12 refuses cgroups of version 1, and a container without CAP_SYS_RESOURCE cannot raise its limits. */
const containersConf = `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "/run/continuity-cluster-networks"
[containers]
default_ulimits = []
init_path = "/usr/bin/catatonit"
log_driver = "k8s-file"
`;

const storageConf = `[storage]
driver = "overlay"
graphroot = "${join(store, 'storage')}"
runroot = "${runRoot}"
`;

/** Variables with which Podman, and what calls it, use the store of this test. */
export const podmanEnvironment = {
  CONTAINERS_CONF: join(store, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(store, 'storage.conf'),
  TMPDIR: store,
};

/** Creates the store of images. Call it before anything else of this module. Another run may read its files at the same time. */
export async function createImageStore(): Promise<void> {
  await mkdir(store, { recursive: true });
  await replaceFile(podmanEnvironment.CONTAINERS_CONF, containersConf);
  await replaceFile(podmanEnvironment.CONTAINERS_STORAGE_CONF, storageConf);
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** Runs Podman, and resolves to its standard output. Throws an error with the end of its output if it fails. */
export const podman = (...args: string[]): Promise<string> =>
  runProgram('podman', args, { env: podmanEnvironment });

/** Whether an image is in the store. */
export const hasImage = (name: string): Promise<boolean> =>
  podman('image', 'exists', name).then(
    () => true,
    () => false,
  );

/** Removes what earlier runs left: containers, also those of builds that were killed, volumes, and old layers without a name. */
export async function cleanImageStore(): Promise<void> {
  const containers = await podman('ps', '--all', '--external', '--quiet');
  for (const id of containers.split('\n').filter(Boolean)) await podman('rm', '--force', id);
  await podman('volume', 'prune', '--force');
  // Those of the last builds are the cache of this one.
  await podman('image', 'prune', '--force', '--filter', 'until=2h');
}

/** Starts the API of Podman, which Docker Compose uses, and resolves to its address. It ends with the run of the test. */
export async function servePodman(): Promise<string> {
  const address = 'unix:///run/continuity-podman.sock';
  spawn('podman', ['system', 'service', '--time=0', address], {
    env: { ...process.env, ...podmanEnvironment },
    stdio: 'ignore',
  });
  return address;
}
