import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadSettings } from '@continuity/kernel/config';
import { describe, expect, test } from 'vitest';
import { ensureHelm, temporaryDirectory } from '../src/index.ts';
import {
  environmentOf,
  isSelected,
  ofKind,
  podsOf,
  type Resource,
  render as renderWith,
  secretsFolder,
  withValues,
} from './support/chart.ts';

const helm = (await ensureHelm()) ?? '';
const render = (...flags: string[]) => renderWith(helm, ...flags);

const namesOf = (resources: Resource[]) =>
  ofKind(resources, 'Deployment').map(({ metadata }) => metadata.name);

/** A quantity of Kubernetes: cores, or bytes. */
function quantity(text: string): number {
  const [, digits = '', unit = ''] = /^([0-9.]+)(m|Mi|Gi|)$/.exec(text) ?? [];
  const factors: Record<string, number> = { m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30 };
  return Number(digits) * (factors[unit] ?? 1);
}

describe.skipIf(helm === '')('the values of the Helm chart', () => {
  test('by default, all pods, those of a rolling upgrade and the migration fit a node of 2 cores and 4 GiB', async () => {
    const resources = await render();
    const pods = ofKind(resources, 'Deployment')
      .flatMap((resource) => Array.from({ length: (resource.spec.replicas ?? 0) + 1 }, () => resource))
      .concat(ofKind(resources, 'Job'))
      .flatMap((resource) => podsOf([resource]));
    const requests = pods.flatMap(({ pod }) => pod.containers.map(({ resources: { requests } }) => requests));
    const sum = (field: 'cpu' | 'memory') =>
      requests.reduce((total, request) => total + quantity(request[field]), 0);
    // What a node of that size leaves to pods, without those of the cluster itself.
    expect(sum('cpu')).toBeLessThan(1.4);
    expect(sum('memory')).toBeLessThan(3.2 * 2 ** 30);
  });

  test('a queue whose feature is not configured is off, unless it is turned on', async () => {
    const has = async (queue: string, ...flags: string[]) =>
      namesOf(await render(...flags)).some((name) => name.endsWith(`-worker-${queue}`));
    expect(await has('memory-flush')).toBe(true);
    expect(await has('memory-embed')).toBe(false);
    expect(await has('memory-embed', ...withValues('cluster-values.yaml'))).toBe(true);
    expect(await has('memory-embed', '--set', 'workers.queues.memory-embed.enabled=true')).toBe(true);
    expect(await has('external-skill-scan')).toBe(false);
    expect(await has('external-skill-scan', ...withValues('external-skills-values.yaml'))).toBe(true);
    expect(await has('remote-reconcile', '--set', 'workers.queues.remote-reconcile.enabled=false')).toBe(
      false,
    );
  });

  test('addresses come in parts and secrets from files, each process with its own', async () => {
    const resources = await render(...withValues('parts-values.yaml'));
    for (const { resource, pod } of podsOf(resources).filter(({ resource: { kind } }) => kind !== 'Pod')) {
      const [container] = pod.containers;
      if (container === undefined) throw new Error('A pod has no container.');
      const settings = loadSettings(environmentOf(resources, container));
      expect(settings.DATABASE_URL).toBe(
        `postgresql://${'x'.repeat(32)}:${'x'.repeat(32)}@postgres.example.com:5433/continuity?sslmode=verify-full&sslrootcert=/etc/continuity/database-tls/ca.crt`,
      );
      const isMigration = resource.kind === 'Job';
      expect(settings.REDIS_URL?.startsWith('rediss://')).toBe(isMigration ? undefined : true);
      const paths = (container.env ?? []).flatMap(({ value = '' }) =>
        value.startsWith(secretsFolder) ? [value.slice(secretsFolder.length)] : [],
      );
      const volume = pod.volumes?.find(({ name }) => name === 'secrets');
      const files = volume?.projected?.sources.flatMap(({ secret: { name, items } }) =>
        items.map(({ key, path }) => [path, name, key]),
      );
      expect(files?.map(([path]) => path)).toEqual(paths);
      expect(files).toContainEqual(['DATABASE_PASSWORD', 'postgres', 'password']);
      expect(paths.includes('AUTH_TOKEN')).toBe(resource.metadata.name.endsWith('-gateway'));
      expect(paths.includes('INFERENCE_API_KEY')).toBe(!isMigration);
      expect(container.volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: secretsFolder.slice(0, -1),
        readOnly: true,
      });
    }
  });

  test('several database servers come from a file of a Secret, which each process and the migration mount', async () => {
    const resources = await render(...withValues('servers-values.yaml'));
    const pods = podsOf(resources).filter(({ resource: { kind } }) => kind !== 'Pod');
    for (const { pod, resource } of pods.filter(
      ({ resource: { metadata } }) => !metadata.name.endsWith('-embedder'),
    )) {
      const [container] = pod.containers;
      if (container === undefined) throw new Error('A pod has no container.');
      const settings = loadSettings(environmentOf(resources, container));
      expect(settings, resource.metadata.name).toMatchObject({
        DATABASE_SERVERS_FILE: '/etc/continuity/servers/all.json',
      });
      expect(settings.DATABASE_URL).toBeUndefined();
      expect(JSON.stringify(pod.volumes)).toContain('"secretName":"database-servers"');
      expect(container.volumeMounts).toContainEqual({
        name: 'database-servers',
        mountPath: '/etc/continuity/servers',
        readOnly: true,
      });
    }
    await expect(render(...withValues('servers-values.yaml'), '--set', 'keda.enabled=true')).rejects.toThrow(
      'KEDA counts the jobs of one database',
    );
  });

  test('the migration has a priority class, so that an upgrade that repairs a full cluster begins', async () => {
    const [job] = ofKind(await render(...withValues('parts-values.yaml')), 'Job');
    expect(job?.spec.template.spec).toMatchObject({
      priorityClassName: 'system-cluster-critical',
      tolerations: [{ key: 'jobs', operator: 'Exists' }],
    });
  });

  test('the pod of `helm test` stays for its log, and may call gateways whose clients are restricted', async () => {
    const resources = await render(...withValues('restricted-values.yaml'));
    const [pod] = ofKind(resources, 'Pod');
    expect(pod?.metadata.annotations?.['helm.sh/hook-delete-policy']).toBe('before-hook-creation');
    const gateway = ofKind(resources, 'NetworkPolicy').find(({ metadata }) =>
      metadata.name.endsWith('-gateway'),
    );
    const callers = gateway?.spec.ingress?.flatMap(({ from = [] }) => from) ?? [];
    expect(
      callers.filter(
        ({ podSelector }) => podSelector !== undefined && isSelected(pod?.metadata.labels ?? {}, podSelector),
      ),
    ).toHaveLength(1);
  });

  test('turning autoscalers on keeps the current number of replicas', async () => {
    // The part of the Kubernetes API that Helm reads.
    const answers: Record<string, object> = {
      '/version': { major: '1', minor: '33', gitVersion: 'v1.33.0' },
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          {
            name: 'apps',
            versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
            preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
          },
        ],
      },
      '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
      '/apis/apps/v1': {
        kind: 'APIResourceList',
        groupVersion: 'apps/v1',
        resources: [
          {
            name: 'deployments',
            singularName: 'deployment',
            namespaced: true,
            kind: 'Deployment',
            verbs: ['get'],
          },
        ],
      },
    };
    const server = createServer(({ url = '' }, response) => {
      const [path = ''] = url.split('?');
      const [, name] = /^\/apis\/apps\/v1\/namespaces\/work\/deployments\/(.+)$/.exec(path) ?? [];
      const answer =
        answers[path] ??
        (name !== undefined && {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name, namespace: 'work' },
          spec: { replicas: 7 },
        });
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer || { kind: 'Status', code: 404 }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const kubeconfig = join(await temporaryDirectory('kube'), 'config');
      const { port } = server.address() as AddressInfo;
      writeFileSync(
        kubeconfig,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'test', cluster: { server: `http://127.0.0.1:${port}` } }],
          contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
          users: [{ name: 'test', user: {} }],
          'current-context': 'test',
        }),
      );
      const resources = await render(
        ...['--set', 'autoscaling.enabled=true,keda.enabled=true'],
        ...['--kubeconfig', kubeconfig, '--dry-run=server', '--disable-openapi-validation'],
      );
      for (const { spec } of ofKind(resources, 'Deployment')) expect(spec.replicas).toBe(7);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
