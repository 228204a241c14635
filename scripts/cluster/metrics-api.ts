import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { listResources, readApi } from './api.ts';
import { apply } from './node.ts';
import { nodeAddress, nodeName, runFolder } from './node-settings.ts';
import { comesTrue } from './wait.ts';

const group = 'metrics.k8s.io/v1beta1';
const port = 4443;
const everyMs = 2_000;
const service = { name: 'metrics', namespace: 'kube-system' };

/** Processor time that a container has used since its start, by the clock of the kubelet. */
interface Reading {
  seconds: number;
  atMs: number;
}

/** Cores that a pod used between two readings. */
interface Usage {
  cores: number;
  atMs: number;
  windowMs: number;
}

/**
 * Serves the metrics API of Kubernetes, as metrics-server does, from what the kubelet measures: the HorizontalPodAutoscaler controller reads
 * it. This one reads every two seconds; metrics-server at most every ten. It ends with this process.
 */
export async function serveMetrics(): Promise<void> {
  const usages = new Map<string, Usage>();
  const readings = new Map<string, Reading>();
  const refresh = async (): Promise<void> => {
    const text = await readApi(`/api/v1/nodes/${nodeName}/proxy/metrics/resource`).catch(() => '');
    for (const [pod, reading] of readingsOf(text)) {
      const before = readings.get(pod);
      if (before !== undefined && reading.atMs > before.atMs) usages.set(pod, usageBetween(before, reading));
      readings.set(pod, reading);
    }
    setTimeout(() => void refresh(), everyMs).unref();
  };
  await refresh();
  const certificates = join(runFolder(), 'api-certificates');
  const [cert, key] = ['crt', 'key'].map((end) => readFileSync(join(certificates, `apiserver.${end}`)));
  const server = createServer({ cert, key }, (request, response) => {
    const url = new URL(request.url ?? '/', 'https://metrics');
    answer(url, usages).then(
      (body) =>
        response
          .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(body)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  server.unref().listen(port, nodeAddress);
  await apply(registration);
  await comesTrue(async () => (await readApi(`/apis/${group}`)) !== '', 'the metrics API answers');
}

/** The sums of each pod's containers, by namespace and name of the pod. */
function readingsOf(text: string): Map<string, Reading> {
  const pods = new Map<string, Reading>();
  const line =
    /^container_cpu_usage_seconds_total\{container="[^"]*",namespace="([^"]*)",pod="([^"]*)"\} (\S+) (\d+)$/gm;
  for (const [, namespace, name, seconds, atMs] of text.matchAll(line)) {
    const pod = `${namespace}/${name}`;
    const others = pods.get(pod)?.seconds ?? 0;
    pods.set(pod, { seconds: others + Number(seconds), atMs: Number(atMs) });
  }
  return pods;
}

/** A container that restarted begins at zero. */
function usageBetween(before: Reading, after: Reading): Usage {
  const windowMs = after.atMs - before.atMs;
  return {
    cores: Math.max(0, after.seconds - before.seconds) / (windowMs / 1_000),
    atMs: after.atMs,
    windowMs,
  };
}

async function answer({ pathname, searchParams }: URL, usages: Map<string, Usage>): Promise<unknown> {
  if (pathname === `/apis/${group}`) return discovery;
  const namespace = new RegExp(`^/apis/${group}/namespaces/([^/]+)/pods$`).exec(pathname)?.[1];
  if (namespace === undefined) return undefined;
  const selector = searchParams.get('labelSelector') ?? '';
  const pods = await listResources<{ metadata: { name: string } }>('pods', { namespace, selector });
  const items = pods.flatMap(({ metadata: { name } }) => {
    const usage = usages.get(`${namespace}/${name}`);
    return usage === undefined ? [] : [podMetrics(name, namespace, usage)];
  });
  return { kind: 'PodMetricsList', apiVersion: group, metadata: {}, items };
}

const podMetrics = (name: string, namespace: string, { cores, atMs, windowMs }: Usage) => ({
  metadata: { name, namespace },
  timestamp: new Date(atMs).toISOString().replace(/\.\d+/, ''),
  window: `${(windowMs / 1_000).toFixed(3)}s`,
  containers: [{ name: 'all', usage: { cpu: `${Math.round(cores * 1e9)}n`, memory: '0' } }],
});

const discovery = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: group,
  resources: [
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ],
};

const registration = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: service,
    spec: { ports: [{ port: 443, targetPort: port }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: service,
    subsets: [{ addresses: [{ ip: nodeAddress }], ports: [{ port }] }],
  },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      service,
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  },
];
