import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listResources } from '../api.ts';
import { release, sql, token } from '../cluster.ts';
import { type Load, type LoadResult, startLoad } from '../load.ts';
import { apply, kubectl } from '../node.ts';
import { pauseImage } from '../node-settings.ts';
import { deployments, installRelease, rollback, serviceUrl, upgrade } from '../release.ts';
import { waitUntil } from '../wait.ts';

const leastRequests = 20_000;
const scope = 'upgraded';

/** Images that the Deployments of the release ask for. */
const images = async (): Promise<string[]> => [
  ...new Set(
    (await deployments()).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)),
  ),
];

const inNamespace = (...args: string[]) => kubectl('--namespace', release, ...args);

describe('an upgrade and a rollback under load on open connections', () => {
  let load: Load;
  let result: LoadResult;

  beforeAll(async () => {
    await installRelease();
    load = startLoad(await serviceUrl(), token, scope);
    await upgrade('--set', 'image.tag=next');
    expect(await images()).toEqual(['continuity:next']);
    expect(await sql('SELECT count(*) FROM next_release')).toBe('0');
    await rollback();
    await waitUntil(() => load.requests() >= leastRequests);
    result = await load.stop();
  });
  afterAll(() => load?.stop());

  test('lose none of 20,000 requests, and no write that was acknowledged', async () => {
    expect(result.lost).toEqual([]);
    expect(result.requests).toBeGreaterThanOrEqual(leastRequests);
    const stored = await sql(`SELECT count(*) FROM sources WHERE source_id LIKE '${scope}-%'`);
    expect(Number(stored)).toBe(result.captured.length);
  });

  test('leave the previous release running on the migrated schema', async () => {
    expect(await images()).toEqual(['continuity:0.1.0']);
    expect(await sql('SELECT count(*) FROM next_release')).toBe('0');
  });
});

describe('an upgrade whose migration fails', () => {
  const broken = ['--set', 'image.tag=broken', '--set', 'migration.backoffLimit=0'];
  let uids: string;

  const podUids = () => inNamespace('get', 'pods', '--output', 'jsonpath={.items[*].metadata.uid}');

  beforeAll(async () => {
    await installRelease();
    uids = await podUids();
  });

  test('changes nothing, and says why in the log that the documentation names', async () => {
    await expect(upgrade(...broken)).rejects.toThrow(/pre-upgrade hooks failed/);
    const log = await inNamespace('logs', 'job/continuity-migrate');
    expect(log).toContain('Migration 29990101000000_broken failed and left nothing behind.');
    expect(await images()).toEqual(['continuity:0.1.0']);
    expect((await podUids()).split(' ')).toEqual(expect.arrayContaining(uids.split(' ')));
  });

  afterAll(() => kubectl('delete', 'deployment', 'filler', '--ignore-not-found'));

  test('is repaired by an upgrade, also on a full node, by the priority class of the migration', async () => {
    await apply(fullNode);
    await waitUntil(async () =>
      JSON.stringify(await listResources('pods', { namespace: 'default' })).includes('Unschedulable'),
    );
    const repaired = ['--set', 'image.tag=next', '--set', 'migration.priorityClassName=migrations'];
    const upgraded = upgrade(...repaired);
    await waitUntil(async () => (await images()).includes('continuity:next'));
    await kubectl('delete', 'deployment', 'filler');
    await upgraded;
    expect(await images()).toEqual(['continuity:next']);
  });
});

/** Pods of no use that take what the node has left, and a class of priority above them. */
const fullNode = [
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'migrations' },
    value: 1_000,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'filler', namespace: 'default' },
    spec: {
      replicas: 30,
      selector: { matchLabels: { app: 'filler' } },
      template: {
        metadata: { labels: { app: 'filler' } },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [
            {
              name: 'pause',
              image: pauseImage,
              imagePullPolicy: 'Never',
              resources: { requests: { cpu: '90m' } },
            },
          ],
        },
      },
    },
  },
];
