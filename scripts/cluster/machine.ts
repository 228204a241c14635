import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../packages/testing/src/tools.ts';
import { cgroupFolders } from './cgroups.ts';
import { runProgram } from './run-program.ts';

/** Programs that the cluster test runs, and the packages of Debian that have them. */
const programs: Readonly<Record<string, string>> = {
  podman: 'podman',
  runc: 'runc',
  catatonit: 'catatonit',
  containerd: 'containerd',
  etcd: 'etcd-server',
  dnsmasq: 'dnsmasq-base',
  debootstrap: 'debootstrap',
  ip: 'iproute2',
  iptables: 'iptables',
  unshare: 'util-linux',
  flock: 'util-linux',
  setpriv: 'util-linux',
};

/** Programs at fixed places, and their packages. */
const files: Readonly<Record<string, string>> = {
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  '/usr/lib/podman/netavark': 'netavark',
  '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
};

/** Kinds of namespaces in which images are built, with the network of the machine. Nothing is left on it at the end, however it ends. */
export const buildNamespaceFlags = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** Kinds of namespaces in which the tests run. */
export const namespaceFlags = ['--net', ...buildNamespaceFlags];

/** What this machine lacks for a cluster, as the end of a sentence that begins with "it needs". Undefined if nothing is missing. */
export async function findObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'Linux';
  if (process.getuid?.() !== 0) return 'root';
  const missing = await missingPackages();
  if (missing.length > 0) return `the packages ${missing.join(', ')}`;
  const namespaces = 'mount -t tmpfs none /run && mkdir -p /run/1 /run/2 /run/3 /run/4';
  const overlay = 'mount -t overlay none /run/4 -o lowerdir=/run/1,upperdir=/run/2,workdir=/run/3';
  const forwarding = 'echo 1 > /proc/sys/net/ipv4/ip_forward && iptables --table nat --list --numeric';
  const bridge = 'ip link add bridge0 type bridge && test -e /proc/sys/net/bridge/bridge-nf-call-iptables';
  const steps = [namespaces, overlay, forwarding, bridge].join(' && ');
  if (!(await succeeds('unshare', [...namespaceFlags, 'sh', '-c', steps])))
    return 'the right to create namespaces, mounts and network bridges';
  for (const folder of cgroupFolders()) {
    const probe = join(folder, `continuity-probe-${process.pid}`);
    const isWritable = await mkdir(probe).then(
      () => rmdir(probe).then(() => true),
      () => false,
    );
    if (!isWritable) return 'writable cgroups';
  }
  return undefined;
}

/** Packages of Debian that have the missing programs. */
export async function missingPackages(): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, source] of Object.entries(programs))
    if ((await findProgram(name)) === undefined) missing.push(source);
  for (const [path, source] of Object.entries(files)) if (!existsSync(path)) missing.push(source);
  return missing;
}

const succeeds = (program: string, args: string[]): Promise<boolean> =>
  runProgram(program, args, { timeoutMs: 10_000 }).then(
    () => true,
    () => false,
  );
