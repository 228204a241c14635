import { readFile } from 'node:fs/promises';
import { clientFor } from '../../packages/testing/src/client.ts';
import { listResources } from './api.ts';
import { chart, helm, release, startCluster, token } from './cluster.ts';
import { kubectl } from './node.ts';
import { patience } from './wait.ts';

/** The parts of a Deployment that the tests read. */
export interface Deployment {
  metadata: { name: string; generation: number };
  spec: { replicas: number; template: { spec: { containers: { image: string }[] } } };
  status: { readyReplicas?: number };
}

export interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  status: {
    phase: string;
    podIP: string;
    containerStatuses?: { containerID: string; restartCount: number; ready: boolean }[];
  };
}

/** Without values, Helm would take those of the release. */
const options = ['--reset-values', '--wait', '--timeout', patience];

/** Installs the release, or upgrades it, with the default values of the chart and those of `flags`, and waits until all pods are ready. */
export async function installRelease(...flags: string[]): Promise<void> {
  await startCluster();
  await describeFailure(helm('upgrade', '--install', release, chart, ...flags, ...options));
}

/** Upgrades the release and waits until all pods are ready. */
export const upgrade = (...flags: string[]): Promise<void> =>
  describeFailure(helm('upgrade', release, chart, ...flags, ...options));

/** Rolls the release back to its previous revision and waits until all pods are ready. */
export const rollback = (): Promise<void> =>
  describeFailure(helm('rollback', release, '--wait', '--timeout', patience));

/** Adds the state of the pods to the error of a command. */
async function describeFailure(command: Promise<string>): Promise<void> {
  try {
    await command;
  } catch (error) {
    const pods = await kubectl('--namespace', release, 'get', 'pods', '--output', 'wide').catch(String);
    const events = await kubectl('--namespace', release, 'get', 'events', '--sort-by=.lastTimestamp').catch(
      String,
    );
    throw new Error(`${(error as Error).message}\n${pods}\n${events.slice(-3_000)}`);
  }
}

export const deployments = (): Promise<Deployment[]> =>
  listResources<Deployment>('deployments', { namespace: release });

/** The replicas that each Deployment asks for, by its name without that of the release. */
export async function replicas(): Promise<Record<string, number>> {
  const found = await deployments();
  return Object.fromEntries(
    found.map(({ metadata, spec }) => [metadata.name.replace(`${release}-`, ''), spec.replicas]),
  );
}

/** Pods of a component that are not being deleted. */
export const podsOf = async (component: string): Promise<Pod[]> =>
  (
    await listResources<Pod>('pods', {
      namespace: release,
      selector: `app.kubernetes.io/component=${component}`,
    })
  ).filter(({ metadata }) => metadata.deletionTimestamp === undefined);

/** Address of the gateways' Service. */
export async function serviceUrl(): Promise<string> {
  const services = await listResources<{ metadata: { name: string }; spec: { clusterIP: string } }>(
    'services',
    { namespace: release },
  );
  return `http://${services.find(({ metadata }) => metadata.name === release)?.spec.clusterIP}`;
}

export const clientOf = async () => clientFor(await serviceUrl(), { authorization: `Bearer ${token}` });

/** The code blocks of a language in a page of docs. */
export async function documentedBlocks(page: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const pattern = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm');
  return [...text.matchAll(pattern)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}
