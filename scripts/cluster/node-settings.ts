import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { podsCgroup } from './cgroups.ts';

/** Folder of a run of the test, such as of the files of a cluster. It is removed at the end. */
export const testFolder = join(tmpdir(), 'continuity-cluster');

/** The folder of this run. Throws outside of the namespaces of a run. */
export const runFolder = (): string => {
  const folder = process.env['CLUSTER_FOLDER'];
  if (folder === undefined) throw new Error('Run `npm run test:cluster`.');
  return folder;
};

/** Address of the node, on the bridge of its pods. */
export const nodeAddress = '10.244.0.1';
export const podSubnet = '10.244.0.0/24';
export const serviceSubnet = '10.96.0.0/16';
export const apiServer = `https://${nodeAddress}:6443`;
export const nodeName = 'node-1';

/** Token of an administrator of the cluster, which ends with the test. */
export const adminToken = 'admin-token';

/** The first process of each pod. */
export const pauseImage = 'localhost/pause:cluster-test';

/** What the node gives to pods, as the documentation says. */
const nodeCores = 2;
const nodeBytes = 4 * 1024 ** 3;

export const containerdSocket = '/run/containerd.sock';

/** The files of the components, by their names in the folder of the run. JSON is YAML. */
export function componentFiles(folder: string): Record<string, string> {
  return {
    'tokens.csv': `${adminToken},admin,admin,system:masters\nnode-token,system:node:${nodeName},node,system:nodes\n`,
    'admin.kubeconfig': kubeconfig(adminToken),
    'node.kubeconfig': kubeconfig('node-token'),
    'resolv.conf': `nameserver ${nodeAddress}\n`,
    'cni/10-pods.conflist': JSON.stringify(podNetwork(folder)),
    'containerd.toml': containerd(folder),
    'kubelet.yaml': JSON.stringify(kubelet(folder)),
    'proxy.yaml': JSON.stringify(proxy(folder)),
  };
}

function kubeconfig(token: string): string {
  // The API server signs its certificate itself, and no one else is in the network.
  const cluster = { server: apiServer, 'insecure-skip-tls-verify': true };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}

const podNetwork = (folder: string) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: podSubnet, gateway: nodeAddress }]],
        routes: [{ dst: '0.0.0.0/0' }],
        dataDir: join(folder, 'addresses'),
      },
    },
  ],
});

/** Without CAP_SYS_RESOURCE, a container cannot get a lower OOM score than containerd. */
const containerd = (folder: string): string => `version = 2
root = "${join(folder, 'containerd')}"
state = "/run/containerd"
[grpc]
  address = "${containerdSocket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(folder, 'cni')}"
`;

/** The rest of the machine's cores and memory is reserved, so that the scheduler sees a node of 2 cores and 4 GiB. */
const kubelet = (folder: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  address: nodeAddress,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${podsCgroup}`,
  failCgroupV1: false,
  failSwapOn: false,
  maxOpenFiles: 20_000,
  clusterDNS: [nodeAddress],
  clusterDomain: 'cluster.local',
  resolvConf: join(folder, 'resolv.conf'),
  containerRuntimeEndpoint: `unix://${containerdSocket}`,
  systemReserved: {
    cpu: `${Math.max(0, cpus().length - nodeCores)}`,
    memory: `${Math.max(0, totalmem() - nodeBytes)}`,
  },
  evictionHard: { 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  syncFrequency: '10s',
});

const proxy = (folder: string) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clusterCIDR: podSubnet,
  hostnameOverride: nodeName,
  bindAddress: nodeAddress,
  metricsBindAddress: '127.0.0.1:10249',
  healthzBindAddress: '127.0.0.1:10256',
  // The limits of connections belong to the whole machine.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  clientConnection: { kubeconfig: join(folder, 'admin.kubeconfig') },
});
