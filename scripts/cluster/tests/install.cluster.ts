import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listResources } from '../api.ts';
import { helm, release, token } from '../cluster.ts';
import { customResources } from '../custom-resources.ts';
import { startLoad } from '../load.ts';
import { serveMetrics } from '../metrics-api.ts';
import { enforcePolicies } from '../network-policies.ts';
import { apply, kubectl } from '../node.ts';
import { runFolder } from '../node-settings.ts';
import {
  clientOf,
  documentedBlocks,
  installRelease,
  type Pod,
  podsOf,
  replicas,
  serviceUrl,
  upgrade,
} from '../release.ts';
import { waitUntil } from '../wait.ts';

const inNamespace = (...args: string[]) => kubectl('--namespace', release, ...args);

describe('the chart with its defaults on a node of 2 cores and 4 GiB', () => {
  beforeAll(() => installRelease());

  test('runs two of each process, and none of a queue whose feature is not configured', async () => {
    expect(await replicas()).toEqual({
      gateway: 2,
      reports: 2,
      'worker-candidate-generation': 2,
      'worker-memory-flush': 2,
      'worker-remote-reconcile': 2,
    });
  });

  test('helm test --logs shows that a gateway is ready', async () => {
    expect(await helm('test', release, '--logs')).toMatch(/200 .*"ready"/);
  });

  test('serves a tenant: what it says becomes Memory', async () => {
    const { call } = await clientOf();
    const scope_id = 'installed';
    const content = 'We decided to use Postgres 18. Never log tokens.';
    await call('capture_content_source', { body: { scope_id, source_id: 'standup-1', content } });
    expect((await call('flush_memory', { body: { scope_id } })).body).toMatchObject({ status: 'processed' });
    const { body } = await call('search_memory', { body: { scope_id, query: 'Postgres' } });
    expect(body.hits.length).toBeGreaterThan(0);
  });
});

describe('the values of docs/kubernetes.md', () => {
  const client = { metadata: { labels: { role: 'client' } } };
  const least = (counts: Record<string, number>[], name: string) =>
    Math.min(...counts.map((count) => count[name] ?? 0));

  test('turning on autoscaling keeps the current number of gateways', async () => {
    await installRelease('--set', 'gateway.replicas=3', '--set', 'workers.defaults.replicas=1');
    const values = parse((await documentedBlocks('kubernetes.md', 'yaml'))[0] ?? '');
    // The image of the test has another name.
    const { image: _, autoscaling, ...rest } = values;
    const path = join(runFolder(), 'values.json');
    await writeFile(
      path,
      JSON.stringify({ ...rest, autoscaling: { ...autoscaling, maxReplicas: 6, targetCPU: '40m' } }),
    );
    const seen: Record<string, number>[] = [];
    const watch = setInterval(
      () =>
        void replicas().then(
          (counts) => seen.push(counts),
          () => {},
        ),
      500,
    );
    await upgrade('--values', path, '--set', 'workers.defaults.replicas=1').finally(() =>
      clearInterval(watch),
    );
    seen.push(await replicas());
    expect(least(seen, 'gateway')).toBe(3);
    const [autoscaler] = await listResources<{ spec: { minReplicas: number } }>('horizontalpodautoscalers', {
      namespace: release,
    });
    expect(autoscaler?.spec.minReplicas).toBe(2);
  });

  test('under load, the autoscaler raises two gateways to six, and no request fails', async () => {
    await inNamespace('scale', 'deployment', 'continuity-gateway', '--replicas=2');
    await waitUntil(async () => (await podsOf('gateway')).length === 2);
    await serveMetrics();
    const load = startLoad(await serviceUrl(), token, 'autoscaled');
    const isReady = ({ status }: Pod) => status.containerStatuses?.[0]?.ready === true;
    const scaled = waitUntil(async () => (await podsOf('gateway')).filter(isReady).length === 6);
    const { requests, lost } = await scaled.then(load.stop, async (error: Error) => {
      await load.stop();
      const state = await inNamespace('describe', 'horizontalpodautoscaler').catch(String);
      throw new Error(`${error.message}\n${state}`);
    });
    expect(lost).toEqual([]);
    expect(requests).toBeGreaterThan(100);
  });

  test('turning on KEDA keeps the current number of workers, and starts those that were stopped', async () => {
    await apply(customResources);
    await inNamespace('scale', 'deployment', 'continuity-worker-memory-flush', '--replicas=2');
    await inNamespace('scale', 'deployment', 'continuity-worker-remote-reconcile', '--replicas=0');
    const before = await replicas();
    await upgrade('--set', 'keda.enabled=true', '--set', 'autoscaling.enabled=true');
    expect(await replicas()).toEqual({ ...before, 'worker-remote-reconcile': 1 });
    expect((await listResources('scaledobjects', { namespace: release })).length).toBe(4);
  });

  test('NetworkPolicies let in clients alone, let out to stores alone, and let helm test pass', async () => {
    const stopEnforcing = await enforcePolicies();
    const clients = JSON.stringify([{ podSelector: { matchLabels: client.metadata.labels } }]);
    await upgrade('--set', 'networkPolicy.enabled=true', '--set-json', `networkPolicy.clients=${clients}`);
    expect(await helm('test', release, '--logs')).toMatch(/200 .*"ready"/);

    const live = 'http://continuity/health/live';
    expect(await reach('client', live, { labels: client.metadata.labels, tries: 20 })).toBe('200');
    expect(await reach('stranger', live, { tries: 1 })).toBe('TimeoutError');
    const [worker] = await podsOf('worker-memory-flush');
    const metrics = `http://${worker?.status.podIP}:9090/metrics`;
    expect(await reach('scraper', metrics, { tries: 20 })).toBe('200');
    // A gateway reaches the stores, as its readiness says, but no other port.
    expect(
      await inNamespace('exec', 'deployment/continuity-gateway', '--', 'node', '-e', printStatus(metrics, 1)),
    ).toBe('TimeoutError');
    await stopEnforcing();
  });
});

/** A program that prints the status of an answer, or the name of the error after the last of `tries`. */
const printStatus = (url: string, tries: number): string => `
  const ask = (left) => fetch('${url}', { signal: AbortSignal.timeout(3000) }).then(
    (answer) => answer.status,
    (error) => left > 1 ? new Promise((wake) => setTimeout(wake, 500)).then(() => ask(left - 1)) : error.name,
  );
  ask(${tries}).then(console.log);`;

/**
 * What a pod with these labels gets from an address: the status, or the name of the error. The rules of a new pod apply a moment after its
 * start, so that one that may reach the address needs some tries.
 */
async function reach(
  name: string,
  url: string,
  { labels = {}, tries }: { labels?: Record<string, string>; tries: number },
): Promise<string> {
  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: release, labels },
    spec: {
      restartPolicy: 'Never',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name,
          image: 'continuity:0.1.0',
          args: ['-e', printStatus(url, tries)],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  });
  await waitUntil(async () => {
    const pods = await listResources<Pod>('pods', { namespace: release });
    return pods.find(({ metadata }) => metadata.name === name)?.status.phase === 'Succeeded';
  });
  return await inNamespace('logs', name);
}
