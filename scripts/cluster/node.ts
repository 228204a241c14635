import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCgroups, podsCgroup } from './cgroups.ts';
import { kubernetesPrograms } from './kubernetes-programs.ts';
import {
  componentFiles,
  containerdSocket,
  nodeAddress,
  nodeName,
  podSubnet,
  runFolder,
  serviceSubnet,
} from './node-settings.ts';
import { runProgram } from './run-program.ts';
import { comesTrue } from './wait.ts';

const etcdUrl = 'http://127.0.0.1:2379';

/** Starts a control plane and one node in this network namespace, and waits until the node is ready. They end with the namespaces. */
export async function startNode(): Promise<void> {
  const folder = runFolder();
  writeFiles(folder);
  await createNetwork();
  start('etcd', 'etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    // A test needs no durability.
    '--unsafe-no-fsync',
  ]);
  start('containerd', 'containerd', ['--config', join(folder, 'containerd.toml')]);
  await startControlPlane(folder);
  start('kubelet', kubernetes('kubelet'), [
    `--config=${join(folder, 'kubelet.yaml')}`,
    `--kubeconfig=${join(folder, 'node.kubeconfig')}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${nodeAddress}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--cert-dir=${join(folder, 'kubelet-certificates')}`,
  ]);
  start('kube-proxy', kubernetes('kube-proxy'), [`--config=${join(folder, 'proxy.yaml')}`]);
  const ready = 'jsonpath={.status.conditions[?(@.type=="Ready")].status}';
  await waitFor('the node is ready', 'kubelet', async () =>
    (await kubectl('get', 'node', nodeName, '--output', ready)).includes('True'),
  );
}

/** Runs kubectl as an administrator, and resolves to its output. */
export const kubectl = (...args: string[]): Promise<string> =>
  runProgram(kubernetes('kubectl'), args, { env: clientEnvironment() });

/** Applies manifests: an object, or a list of them. */
export const apply = (manifest: object): Promise<string> =>
  runProgram(kubernetes('kubectl'), ['apply', '--filename', '-'], {
    env: clientEnvironment(),
    input: JSON.stringify(
      Array.isArray(manifest) ? { apiVersion: 'v1', kind: 'List', items: manifest } : manifest,
    ),
  });

const kubeconfigPath = (): string => join(runFolder(), 'admin.kubeconfig');

/** Variables of kubectl and Helm. By default, they would keep the kinds of this cluster in the home folder, for the next one. */
export const clientEnvironment = () => ({
  KUBECONFIG: kubeconfigPath(),
  KUBECACHEDIR: join(runFolder(), 'kubectl-cache'),
});

/** Runs containerd's client in the namespace of Kubernetes. */
export const ctr = (...args: string[]): Promise<string> =>
  runProgram('ctr', ['--address', containerdSocket, '--namespace', 'k8s.io', ...args]);

const kubernetes = (name: string): string => join(kubernetesPrograms, name);
const logOf = (name: string): string => join(runFolder(), 'logs', `${name}.log`);

function writeFiles(folder: string): void {
  for (const [name, text] of Object.entries(componentFiles(folder))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(join(folder, 'accounts.key'), privateKey);
  writeFileSync(join(folder, 'accounts.pub'), publicKey);
  mkdirSync(join(folder, 'logs'), { recursive: true });
  createCgroups(podsCgroup);
}

async function createNetwork(): Promise<void> {
  await runProgram('ip', ['link', 'add', 'pods0', 'type', 'bridge']);
  await runProgram('ip', ['address', 'add', `${nodeAddress}/24`, 'dev', 'pods0']);
  await runProgram('ip', ['link', 'set', 'pods0', 'up']);
  // kube-proxy and the API server look for the address of the default route.
  await runProgram('ip', [
    'route',
    'add',
    'default',
    'via',
    podSubnet.replace('0/24', '254'),
    'dev',
    'pods0',
  ]);
  const settings = ['ip_forward', 'conf/all/route_localnet'].map((name) => `/proc/sys/net/ipv4/${name}`);
  for (const path of [...settings, '/proc/sys/net/bridge/bridge-nf-call-iptables']) writeFileSync(path, '1');
}

async function startControlPlane(folder: string): Promise<void> {
  await waitFor('etcd answers', 'etcd', async () => (await fetch(`${etcdUrl}/health`)).ok);
  const accounts = join(folder, 'accounts');
  start('kube-apiserver', kubernetes('kube-apiserver'), [
    `--etcd-servers=${etcdUrl}`,
    `--advertise-address=${nodeAddress}`,
    `--cert-dir=${join(folder, 'api-certificates')}`,
    `--service-cluster-ip-range=${serviceSubnet}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${accounts}.key`,
    `--service-account-key-file=${accounts}.pub`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=Node,RBAC',
    '--kubelet-preferred-address-types=InternalIP',
  ]);
  await waitFor('the API server is ready', 'kube-apiserver', async () =>
    (await kubectl('get', '--raw', '/readyz')).includes('ok'),
  );
  const access = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
    (name) => `--${name}=${kubeconfigPath()}`,
  );
  const alone = '--leader-elect=false';
  start('kube-scheduler', kubernetes('kube-scheduler'), [...access, alone]);
  start('kube-controller-manager', kubernetes('kube-controller-manager'), [
    ...access,
    alone,
    `--service-account-private-key-file=${accounts}.key`,
    '--horizontal-pod-autoscaler-sync-period=5s',
  ]);
}

/** Starts a component, with its output in the folder `logs` of the run. */
function start(name: string, program: string, args: string[]): void {
  const log = openSync(logOf(name), 'w');
  const child = spawn(program, args, { stdio: ['ignore', log, log] });
  child.once('error', (error) => writeFileSync(logOf(name), String(error)));
}

/** Waits for a state of a component. The error has the end of the component's log. */
async function waitFor(what: string, component: string, check: () => Promise<boolean>): Promise<void> {
  try {
    await comesTrue(check, what);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${readFileSync(logOf(component), 'utf8').slice(-3_000)}`);
  }
}
