import { execFileSync } from 'node:child_process';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queueNames } from '@continuity/contract';
import { loadSettings, secretSettings, settingsSchema } from '@continuity/kernel/config';
import { openDatabase } from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { loadSkillHosts } from '@continuity/shared/external-skills';
import { startWorker } from '@continuity/shared/jobs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  createDatabase,
  ensureHelm,
  kubernetesDefinitions,
  kubernetesVersions,
  temporaryDirectory,
  waitUntil,
} from '../src/index.ts';
import {
  type Container,
  chart,
  containersOf,
  environmentOf,
  isSelected,
  ofKind,
  podsOf,
  type Resource,
  render as renderWith,
  root,
  secretsFolder,
  valueSets,
  withValues,
} from './support/chart.ts';
import { customShapes } from './support/custom-resources.ts';

const helm = (await ensureHelm()) ?? '';
const definitions = await Promise.all(kubernetesVersions.map(kubernetesDefinitions));
const canRender = helm !== '' && definitions.every((known) => known !== undefined);
const schemas = definitions.map((known = {}) =>
  new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).addSchema(known, 'kubernetes'),
);
const render = (...flags: string[]) => renderWith(helm, ...flags);

/** Errors of a resource against the schemas of a version of Kubernetes, or against those of its custom resource. */
function errorsOf(resource: Resource, version: number): object[] {
  const shape = customShapes[resource.kind] ?? { $ref: `kubernetes#/$defs/${definitionOf(resource)}` };
  const validate = schemas[version]?.compile(shape);
  validate?.(resource);
  return validate?.errors ?? [];
}

/** Name of a kind in the schemas: `io.k8s.api.apps.v1.Deployment`. */
function definitionOf({ apiVersion, kind }: Resource): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  return `io.k8s.api.${group.split('.')[0]}.${version}.${kind}`;
}

/** The port on which a process serves its metrics; undefined if it does not. */
function metricsPortOf(resources: Resource[], container: Container): number | undefined {
  const { METRICS_PORT, WORKER_METRICS_PORT } = loadSettings(environmentOf(resources, container));
  return container.args[0] === 'dist/api.mjs' ? METRICS_PORT : WORKER_METRICS_PORT;
}

const isProgram = ({ args }: { args: string[] }) => args[0]?.endsWith('.ts') === true;

describe.skipIf(!canRender)('the Helm chart', () => {
  test('has at least six example values', () => expect(valueSets.length).toBeGreaterThanOrEqual(6));

  describe.each(valueSets)('with %s', (name) => {
    const rendered = canRender ? render(...withValues(name)) : Promise.resolve([]);

    test('is linted', () => {
      execFileSync(helm, ['lint', '--strict', chart, ...withValues(name)], { stdio: 'pipe' });
    });

    test.each(kubernetesVersions.map((version, index) => [version, index] as const))(
      'is valid for Kubernetes %s',
      async (_version, index) => {
        for (const resource of await rendered)
          expect(errorsOf(resource, index), `${resource.kind} ${resource.metadata.name}`).toEqual([]);
      },
    );

    test('gives each process settings that exist and are valid, and a program that exists', async () => {
      const resources = await rendered;
      for (const container of containersOf(resources)) {
        const environment = environmentOf(resources, container);
        expect(Object.keys(environment).filter((setting) => !(setting in settingsSchema.shape))).toEqual([]);
        expect(() => loadSettings(environment)).not.toThrow();
      }
      for (const { args } of containersOf(resources).filter(isProgram))
        expect(existsSync(join(root, args[0] ?? '')), args[0]).toBe(true);
    });

    test('takes every secret from a Secret, and nothing else', async () => {
      const resources = await rendered;
      const secrets: readonly string[] = secretSettings;
      const variables = containersOf(resources).flatMap(({ env = [] }) => env);
      for (const { name: setting, value = '', valueFrom } of variables.filter(
        (variable) => !variable.value?.startsWith(secretsFolder),
      ))
        expect(valueFrom?.secretKeyRef !== undefined, `${setting} ${value}`).toBe(secrets.includes(setting));
      expect(ofKind(resources, 'Secret')).toEqual([]);
    });

    test('runs each pod as an ordinary user, on a read-only file system, without capabilities', async () => {
      for (const { pod } of podsOf(await rendered))
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
        });
      for (const container of containersOf(await rendered))
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    });

    test('mounts the volumes that a pod has, and no others', async () => {
      for (const { pod } of podsOf(await rendered)) {
        const mounted = pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
        expect(mounted.map((mount) => mount.name).sort()).toEqual(
          (pod.volumes ?? []).map((volume) => volume.name).sort(),
        );
      }
    });

    test('selects each pod by one Deployment, and by at most one budget', async () => {
      const resources = await rendered;
      const pods = podsOf(resources);
      for (const { spec } of ofKind(resources, 'Deployment')) {
        const own = pods.filter(({ labels }) => isSelected(labels, spec.selector));
        expect(own.map(({ pod }) => pod)).toEqual([spec.template.spec]);
        for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? [])
          expect(labelSelector).toEqual({ matchLabels: spec.selector.matchLabels });
      }
      for (const { spec } of ofKind(resources, 'PodDisruptionBudget'))
        expect(pods.filter(({ labels }) => isSelected(labels, spec.selector))).toHaveLength(1);
      for (const { spec } of ofKind(resources, 'NetworkPolicy'))
        expect(pods.filter(({ labels }) => isSelected(labels, spec.podSelector))).not.toEqual([]);
    });

    test('serves the ports of its Services', async () => {
      const resources = await rendered;
      for (const { spec } of ofKind(resources, 'Service')) {
        const pods = podsOf(resources).filter(({ labels }) =>
          isSelected(labels, { matchLabels: spec.selector }),
        );
        expect(pods).not.toEqual([]);
        const served = pods.flatMap(({ pod }) => pod.containers.flatMap(({ ports = [] }) => ports));
        expect(served.map((port) => port.name)).toEqual(
          expect.arrayContaining(spec.ports.map(({ targetPort }) => targetPort)),
        );
      }
      for (const { spec } of ofKind(resources, 'ServiceMonitor'))
        expect(
          ofKind(resources, 'Service').filter(({ metadata }) => isSelected(metadata.labels, spec.selector)),
        ).toHaveLength(1);
    });

    test('scrapes each gateway and each worker on the port on which it serves its metrics', async () => {
      const resources = await rendered;
      const services = ofKind(resources, 'Service').filter(({ spec }) =>
        spec.ports.some(({ targetPort }) => targetPort === 'metrics'),
      );
      const isScraped = (labels: Record<string, string>) =>
        services.some(({ spec }) => isSelected(labels, { matchLabels: spec.selector }));
      for (const { labels, pod } of podsOf(ofKind(resources, 'Deployment'))) {
        expect(isScraped(labels)).toBe(true);
        for (const container of pod.containers)
          expect(container.ports).toContainEqual({
            name: 'metrics',
            containerPort: metricsPortOf(resources, container),
          });
      }
    });

    test('gives a process longer to stop than it takes', async () => {
      const resources = await rendered;
      const closingSeconds = 5;
      for (const { spec } of ofKind(resources, 'Deployment')) {
        const { containers, terminationGracePeriodSeconds } = spec.template.spec;
        for (const container of containers) {
          const { SHUTDOWN_GRACE_MS } = loadSettings(environmentOf(resources, container));
          expect(terminationGracePeriodSeconds).toBeGreaterThan(SHUTDOWN_GRACE_MS / 1_000 + closingSeconds);
        }
      }
    });

    test('migrates before anything else of the release exists', async () => {
      const resources = await rendered;
      const made = resources
        .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined)
        .map(({ metadata }) => metadata.name);
      for (const { metadata, spec } of ofKind(resources, 'Job')) {
        expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
        const { containers, volumes = [], serviceAccountName } = spec.template.spec;
        expect(serviceAccountName).toBeUndefined();
        expect(containers.flatMap(({ envFrom = [] }) => envFrom)).toEqual([]);
        const variables = containers.flatMap(({ env = [] }) => env);
        const needed = [
          ...variables.map(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? ''),
          ...volumes.map(({ secret }) => secret?.secretName ?? ''),
        ];
        expect(made.filter((one) => needed.includes(one))).toEqual([]);
      }
    });
  });

  test('is validated strictly: an unknown field and a wrong type are errors', async () => {
    const [gateway] = ofKind(await render(), 'Deployment');
    if (gateway === undefined) throw new Error('The chart has no Deployment.');
    const wrong = [
      { ...gateway, spec: { ...gateway.spec, replica: 2 } },
      { ...gateway, spec: { ...gateway.spec, replicas: 'two' } },
    ];
    for (const resource of wrong)
      for (const version of schemas.keys())
        expect(errorsOf(resource as unknown as Resource, version)).not.toEqual([]);
  });

  test('each queue has one Deployment', async () => {
    const resources = await render('--set', 'workers.defaults.enabled=true');
    const queuesOf: Record<string, (environment: Record<string, string>) => readonly string[]> = {
      'dist/workers.mjs': (environment) => loadSettings(environment).WORKER_QUEUES,
      'dist/reports.mjs': () => ['report-render'],
    };
    const queues = containersOf(
      ofKind(resources, 'Deployment').concat(ofKind(resources, 'ConfigMap')),
    ).flatMap((container) => queuesOf[container.args[0] ?? '']?.(environmentOf(resources, container)) ?? []);
    expect(queues.sort()).toEqual([...queueNames].sort());
  });

  test('spec 26 S14: the embedder is off by default; where it is on, gateways and workers use it', async () => {
    const urlsOf = async (...flags: string[]) => {
      const resources = await render(...flags);
      const made = containersOf(ofKind(resources, 'Deployment').concat(ofKind(resources, 'ConfigMap')));
      return made.map((container) => [
        container.args[0],
        environmentOf(resources, container)['EMBEDDER_URL'],
      ]);
    };
    const off = await urlsOf();
    expect(off.filter(([program, url]) => program === 'dist/embedder.mjs' || url !== undefined)).toEqual([]);
    const on = await urlsOf('--set', 'embedder.enabled=true');
    expect(on.filter(([program]) => program === 'dist/embedder.mjs')).toHaveLength(1);
    const url = 'http://test-continuity-embedder:8000';
    for (const [program, used] of on) if (program !== 'dist/embedder.mjs') expect(used, program).toBe(url);
    // The queue of the vectors has a worker.
    expect(on).toHaveLength(off.length + 2);
  });

  test('custom resources are off by default', async () => {
    const kinds = (await render()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind in customShapes)).toEqual([]);
  });

  test('an autoscaled Deployment has no replicas, and each autoscaler its Deployment', async () => {
    const resources = await render('--set', 'autoscaling.enabled=true,keda.enabled=true');
    const deployments = ofKind(resources, 'Deployment');
    expect(deployments.filter(({ spec }) => 'replicas' in spec)).toEqual([]);
    const scalers = [...ofKind(resources, 'HorizontalPodAutoscaler'), ...ofKind(resources, 'ScaledObject')];
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(
      deployments.map(({ metadata }) => metadata.name).sort(),
    );
    for (const { spec } of ofKind(await render(), 'Deployment')) expect(spec.replicas).toBeGreaterThan(0);
  });

  test('workers of External Skills know their host, and mount its folders read-only', async () => {
    const resources = await render(...withValues('external-skills-values.yaml'));
    const [file] = ofKind(resources, 'ConfigMap').flatMap(({ data }) => data?.['external-skills.json'] ?? []);
    const path = join(await temporaryDirectory('skills'), 'external-skills.json');
    writeFileSync(path, file ?? '');
    const readers = containersOf(resources).filter(
      (container) => 'EXTERNAL_SKILLS_FILE' in environmentOf(resources, container),
    );
    const hosts = readers.map(async (container) => {
      const settings = loadSettings({ ...environmentOf(resources, container), EXTERNAL_SKILLS_FILE: path });
      const { ownHostId } = await loadSkillHosts(settings);
      return [container.args[0], ownHostId];
    });
    expect(await Promise.all(hosts)).toEqual([
      ['dist/api.mjs', null],
      ['dist/workers.mjs', 'workstation-1'],
    ]);
    const [, worker] = readers;
    const folders = worker?.volumeMounts?.filter(({ mountPath }) => mountPath.startsWith('/skills/'));
    expect(folders?.map(({ readOnly }) => readOnly)).toEqual([true, true]);
  });

  test('KEDA reads the queued jobs and their age, and leaves one worker', async () => {
    const { url, drop } = await createDatabase();
    const database = openDatabase({ url, size: 5, name: 'test', onIdleError: () => {} });
    await database.pool.query(
      `WITH tenant AS (INSERT INTO tenants (name) VALUES ('keda') RETURNING tenant_id)
       INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, created_at)
       SELECT tenant_id, gen_random_uuid(), 'memory-flush', 'flush_memory', job::text, '{}', now() - interval '1 min' * job
       FROM tenant, generate_series(1, 3) job`,
    );
    // Its sweep enqueues the jobs of all queues, and checks them every few seconds.
    const worker = await startWorker({
      database,
      store: { redisUrl: undefined, databaseUrl: url, prefix: 'test' },
      runJob: () => Promise.reject(new Error('No job was expected.')),
      queues: ['remote-reconcile'],
      concurrency: 1,
      graceMs: 1_000,
      failedRetentionDays: 1,
      logger: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
    });
    try {
      const unchecked = 'SELECT FROM jobs WHERE enqueued_at IS NULL';
      await waitUntil(async () => (await database.pool.query(unchecked)).rowCount === 0);
      const read = async (query: string) =>
        Number(Object.values((await database.pool.query(query)).rows[0])[0]);
      const everyQueue = 'keda.enabled=true,workers.defaults.enabled=true';
      const scaled = ofKind(await render('--set', everyQueue), 'ScaledObject');
      expect(scaled).toHaveLength(queueNames.length);
      for (const { metadata, spec } of scaled) {
        expect(spec.minReplicaCount).toBeGreaterThanOrEqual(1);
        const [queued = 0, oldest = 0] = await Promise.all(
          spec.triggers.map((trigger) => read(trigger.metadata.query)),
        );
        const isFlush = metadata.name.endsWith('-memory-flush');
        expect(queued).toBe(isFlush ? 3 : 0);
        expect(Math.floor(oldest / 60)).toBe(isFlush ? 3 : 0);
      }
    } finally {
      await worker.stop();
      await database.close();
      await drop();
    }
  });

  test('without egressPorts, the pods reach DNS and the peers of further rules alone', async () => {
    const rule = { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 5432, protocol: 'TCP' }] };
    const resources = await render(
      ...['--set', 'networkPolicy.enabled=true'],
      ...['--set-json', `networkPolicy={"egressPorts":[],"egress":[${JSON.stringify(rule)}]}`],
    );
    const [policy] = ofKind(resources, 'NetworkPolicy');
    const [dns, ...others] = policy?.spec.egress ?? [];
    expect(dns?.ports?.map(({ port }) => port)).toEqual([53, 53]);
    expect(others).toEqual([rule]);
  });

  test.each([
    ['a value that does not exist', 'gateway.replica=3', /replica/],
    ['a setting that does not exist', 'settings.LOG_LEVLE=warn', /The service has no setting LOG_LEVLE/],
    [
      'a secret among the settings',
      'settings.AUTH_TOKEN=x',
      /AUTH_TOKEN is a secret: put it into existingSecret/,
    ],
    ['no worker', 'workers.defaults.minReplicas=0', /minReplicas/],
    ['a host without a database', 'database.host=postgres', /Set database\.name/],
    [
      'KEDA without a URL',
      'database.host=postgres,database.name=memory,keda.enabled=true',
      /Set keda\.key to the key of a URL/,
    ],
    ['a file of no secret', 'secretFiles={LOG_LEVEL}', /secretFiles has LOG_LEVEL, which is no secret/],
    ['no Secret', 'existingSecret=', /Set existingSecret or database\.existingSecret/],
    ['a Sentinel without a port', 'redis.sentinels={redis}', /sentinels/],
  ])('refuses %s', async (_name, value, sentence) => {
    await expect(render('--set', value)).rejects.toThrow(sentence);
  });

  test('the probe of a worker fails once its file is older than thirty seconds', async () => {
    const worker = containersOf(await render()).find(
      ({ livenessProbe }) => livenessProbe?.exec !== undefined,
    );
    expect(worker?.env).toContainEqual({ name: 'LIVENESS_FILE', value: '/tmp/alive' });
    const [shell = '', ...rest] = worker?.livenessProbe?.exec?.command ?? [];
    const file = join(await temporaryDirectory('alive'), 'alive');
    const words = rest.map((word) => word.replace('/tmp/alive', file));
    const probe = () => execFileSync(shell, words, { stdio: 'ignore' });
    expect(probe).toThrow();
    writeFileSync(file, '');
    expect(probe).not.toThrow();
    const before = Date.now() / 1_000 - 40;
    utimesSync(file, before, before);
    expect(probe).toThrow();
  });
});
