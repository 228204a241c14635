import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { secretSettings } from '@continuity/kernel/config';
import { parseAllDocuments } from 'yaml';

const execute = promisify(execFile);

export const root = fileURLToPath(new URL('../../../../', import.meta.url));
export const chart = join(root, 'deploy/helm/continuity');

/** Files of example values. */
export const valueSets = readdirSync(join(chart, 'ci'));

export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
}

export interface Container {
  args: string[];
  env?: Variable[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
  resources: { requests: { cpu: string; memory: string } };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  livenessProbe?: { exec?: { command: string[] } };
}

export interface PodSpec {
  containers: Container[];
  serviceAccountName?: string;
  securityContext: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  priorityClassName?: string;
  volumes?: {
    name: string;
    secret?: { secretName: string };
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
    emptyDir?: object;
  }[];
  topologySpreadConstraints?: { labelSelector: Selector }[];
}

export interface Selector {
  matchLabels: Record<string, string>;
}

/** A rendered resource. Its fields depend on its kind. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: PodSpec & {
    replicas?: number;
    selector: Selector & Record<string, string>;
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    podSelector: Selector;
    ports: { name: string; targetPort: string }[];
    scaleTargetRef: { name: string };
    minReplicaCount: number;
    triggers: { metadata: { query: string } }[];
    egress?: { ports?: { port: number }[] | null }[];
    ingress?: { from?: { podSelector?: Selector }[] }[];
  };
}

/** Flags of `helm` for an example. */
export const withValues = (name: string): string[] => ['--values', join(chart, 'ci', name)];

/** Renders the chart by `helm template`. Rejects with the message of Helm. */
export async function render(helm: string, ...flags: string[]): Promise<Resource[]> {
  const { stdout } = await execute(helm, ['template', 'test', chart, '--namespace', 'work', ...flags], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);
}

export const ofKind = (resources: Resource[], kind: string): Resource[] =>
  resources.filter((one) => one.kind === kind);

/** A pod with the resource that makes it. */
export interface MadePod {
  resource: Resource;
  labels: Record<string, string>;
  pod: PodSpec;
}

export function podsOf(resources: Resource[]): MadePod[] {
  return resources.flatMap((resource) => {
    const { kind, metadata, spec } = resource;
    if (kind === 'Pod') return [{ resource, labels: metadata.labels, pod: spec }];
    if (kind !== 'Deployment' && kind !== 'Job') return [];
    return [{ resource, labels: spec.template.metadata.labels, pod: spec.template.spec }];
  });
}

export const containersOf = (resources: Resource[]): Container[] =>
  podsOf(resources).flatMap(({ pod }) => pod.containers);

export const isSelected = (labels: Record<string, string>, { matchLabels }: Selector): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

/** Values of secret settings, as a deployment could have them. */
const secrets: Record<string, string> = Object.fromEntries(
  secretSettings.map((name) => [
    name,
    name.endsWith('_URL')
      ? `${name.startsWith('REDIS') ? 'rediss' : 'postgresql'}://user:password@host:1/0`
      : 'x'.repeat(32),
  ]),
);

/** Folder of the secrets that a container reads from files. */
export const secretsFolder = '/etc/continuity/secrets/';

/** The environment of a container, with made-up secrets, also in place of their files. */
export function environmentOf(resources: Resource[], container: Container): Record<string, string> {
  const configured = new Map(
    ofKind(resources, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]),
  );
  const shared = (container.envFrom ?? []).map(({ configMapRef }) => configured.get(configMapRef.name));
  const own = (container.env ?? []).map(({ name, value }) =>
    value?.startsWith(secretsFolder)
      ? [name.slice(0, -'_FILE'.length), secrets[value.slice(secretsFolder.length)] ?? 'unknown']
      : [name, value ?? secrets[name] ?? 'unknown'],
  );
  return Object.assign({}, ...shared, Object.fromEntries(own));
}
