import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { release, token } from '../cluster.ts';
import { post } from '../load.ts';
import { ctr, kubectl } from '../node.ts';
import { nodeName } from '../node-settings.ts';
import { clientOf, installRelease, type Pod, podsOf, replicas, serviceUrl } from '../release.ts';
import { waitUntil } from '../wait.ts';

/** Stops the process of a pod's container, as one that hangs. */
async function freeze(pod: Pod | undefined): Promise<string> {
  const id = pod?.status.containerStatuses?.[0]?.containerID.replace('containerd://', '') ?? '';
  const line = (await ctr('tasks', 'list')).split('\n').find((one) => one.startsWith(id));
  process.kill(Number(line?.split(/\s+/)[1]), 'SIGSTOP');
  return pod?.metadata.name ?? '';
}

const restarted = async (component: string, name: string): Promise<boolean> => {
  const pod = (await podsOf(component)).find(({ metadata }) => metadata.name === name);
  const [container] = pod?.status.containerStatuses ?? [];
  return container !== undefined && container.restartCount > 0 && container.ready;
};

/** The status of a search on a connection of its own, or the error. `limitMs` ends the wait for an answer. */
async function search(limitMs: number): Promise<string> {
  const body = { scope_id: 'outages', query: 'a statement' };
  const agent = new Agent();
  const tooLong = new Promise<string>((end) => setTimeout(end, limitMs, `no answer in ${limitMs} ms`));
  const answer = post(agent, `${await serviceUrl()}/v1/memory/search`, token, body);
  const status = await Promise.race([answer.catch((error: Error) => error.message), tooLong]);
  agent.destroy();
  return status;
}

async function flush(scope_id: string) {
  const { call } = await clientOf();
  await call('capture_content_source', {
    body: { scope_id, source_id: 'standup', content: 'We decided to use Postgres 18.' },
  });
  return (await call('flush_memory', { body: { scope_id } })).body;
}

describe('a frozen gateway and a frozen worker', () => {
  let gateway: string;
  let worker: string;

  beforeAll(async () => {
    await installRelease();
    await flush('outages');
    gateway = await freeze((await podsOf('gateway'))[0]);
    worker = await freeze((await podsOf('worker-memory-flush'))[0]);
  });

  test('the Service leaves the gateway out: all searches are answered', async () => {
    let answered = 0;
    await waitUntil(async () => {
      answered = (await search(2_000)) === '200' ? answered + 1 : 0;
      return answered === 20;
    });
  });

  test('the jobs of the worker run on the other one', async () => {
    for (const name of ['a', 'b', 'c', 'd'])
      expect(await flush(`outages-${name}`)).toMatchObject({ status: 'processed' });
  });

  test('both are restarted', async () => {
    await waitUntil(() => restarted('gateway', gateway));
    await waitUntil(() => restarted('worker-memory-flush', worker));
  });
});

describe('the drain of the node', () => {
  beforeAll(() => installRelease());
  afterAll(() => kubectl('uncordon', nodeName));

  test('takes at most one pod of each Deployment, and the service answers on', async () => {
    const pods = ['--pod-selector', `app.kubernetes.io/instance=${release}`];
    const flags = ['--force', '--delete-emptydir-data', '--timeout', '20s'];
    const drain = kubectl('drain', nodeName, ...pods, ...flags);
    let isOver = false;
    const drained = drain
      .then(String, (error: Error) => error.message)
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      expect(await search(30_000)).toBe('200');
      for (const component of Object.keys(await replicas())) {
        const pods = await podsOf(component);
        const ready = pods.filter(({ status }) => status.containerStatuses?.[0]?.ready);
        expect(ready.length, component).toBeGreaterThanOrEqual(1);
      }
    }
    // The node is the only one, so the pods have no other place to start.
    expect(await drained).toContain("Cannot evict pod as it would violate the pod's disruption budget");
    await kubectl('uncordon', nodeName);
    await installRelease();
  });
});
