import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureHelm } from '../../packages/testing/src/helm.ts';
import { serveNames } from './dns.ts';
import { clusterImages, storesImage } from './image.ts';
import { apply, clientEnvironment, ctr, kubectl, startNode } from './node.ts';
import { runFolder } from './node-settings.ts';
import { podman } from './podman.ts';
import { runProgram } from './run-program.ts';
import { patience } from './wait.ts';

export const chart = fileURLToPath(new URL('../../deploy/helm/continuity', import.meta.url));

/** Namespace and name of the release, as in docs/kubernetes.md. */
export const release = 'continuity';
export const token = 'token-of-the-cluster-test';
const storesNamespace = 'stores';
const databaseUrl = `postgresql://continuity:secret@postgres.${storesNamespace}.svc.cluster.local:5432/continuity`;
const redisUrl = `redis://redis.${storesNamespace}.svc.cluster.local:6379`;

let started: Promise<void> | undefined;

/** Starts the cluster with its images, PostgreSQL, Redis, and the namespace and Secret of the release. Once for all test files. */
export function startCluster(): Promise<void> {
  started ??= start();
  return started;
}

async function start(): Promise<void> {
  const lap = laps();
  await Promise.all([startNode().then(() => lap('control plane and node')), saveImages()]);
  await ctr('images', 'import', archive());
  await rm(archive());
  lap('images');
  serveNames();
  await apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: storesNamespace } },
    ...store('postgres', 5432, ['postgres', '-c', 'max_connections=300']),
    ...store('redis', 6379, ['redis-server', '--maxmemory-policy', 'noeviction']),
  ]);
  // Pods of the namespace keep to the strictest of the Pod Security Standards.
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: release, labels } });
  const literals = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, AUTH_TOKEN: token };
  const flags = Object.entries(literals).map(([key, value]) => `--from-literal=${key}=${value}`);
  await kubectl('--namespace', release, 'create', 'secret', 'generic', release, ...flags);
  await kubectl('--namespace', storesNamespace, 'rollout', 'status', 'deployment', `--timeout=${patience}`);
  lap('stores');
}

const archive = (): string => join(runFolder(), 'images.tar');
const saveImages = (): Promise<string> =>
  podman('save', '--multi-image-archive', '--output', archive(), ...clusterImages);

/** Prints how long each step took. */
function laps(): (what: string) => void {
  const startedAt = performance.now();
  return (what) =>
    void process.stdout.write(
      `${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s ${what}\n`,
    );
}

/** A store with its Service, as a Deployment of one pod without a disk. */
function store(name: string, port: number, args: string[]): object[] {
  const labels = { app: name };
  const metadata = { name, namespace: storesNamespace };
  const variables = { POSTGRES_USER: 'continuity', POSTGRES_PASSWORD: 'secret', POSTGRES_DB: 'continuity' };
  const container = {
    name,
    image: storesImage,
    imagePullPolicy: 'Never',
    args,
    env: Object.entries(variables).map(([key, value]) => ({ name: key, value })),
    resources: { requests: { cpu: '300m', memory: '256Mi' } },
    readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
  };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template },
    },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port }] } },
  ];
}

/** Runs Helm in the namespace of the release, and resolves to its output. */
export async function helm(command: string, ...args: string[]): Promise<string> {
  const program = await ensureHelm();
  if (program === undefined) throw new Error('Helm is missing.');
  return await runProgram(program, ['--namespace', release, command, ...args], {
    env: clientEnvironment(),
  });
}

/** Runs SQL as the owner of the database, and resolves to the values of its rows, one a line. */
export const sql = (statement: string): Promise<string> =>
  kubectl(
    ...['--namespace', storesNamespace, 'exec', 'deployment/postgres', '--'],
    ...[
      'psql',
      databaseUrl.replace(/@[^:]+/, '@127.0.0.1'),
      '--tuples-only',
      '--no-align',
      '--command',
      statement,
    ],
  );
