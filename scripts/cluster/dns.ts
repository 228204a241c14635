import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listResources } from './api.ts';
import { nodeAddress, runFolder } from './node-settings.ts';

const everyMs = 500;

/**
 * Serves the names of the Services to pods, by dnsmasq on the address of the node. It reads the Services twice a second, until the process
 * ends.
 */
export function serveNames(): void {
  const hosts = join(runFolder(), 'services');
  writeFileSync(hosts, '');
  const listen = [`--listen-address=${nodeAddress}`, '--bind-interfaces', '--pid-file=', '--user=root'];
  const server = spawn(
    'dnsmasq',
    ['--keep-in-foreground', '--no-resolv', '--no-hosts', `--addn-hosts=${hosts}`, ...listen],
    { stdio: 'ignore' },
  );
  let known = '';
  const refresh = async (): Promise<void> => {
    const text = await readServices().catch(() => known);
    if (text !== known) {
      writeFileSync(hosts, text);
      server.kill('SIGHUP');
      known = text;
    }
    setTimeout(() => void refresh(), everyMs).unref();
  };
  void refresh();
}

/** Lines of a hosts file, without headless Services. */
async function readServices(): Promise<string> {
  const services = await listResources<{
    metadata: { name: string; namespace: string };
    spec: { clusterIP: string };
  }>('services');
  return services
    .filter(({ spec }) => spec.clusterIP !== 'None')
    .map(
      ({ metadata: { name, namespace }, spec }) =>
        `${spec.clusterIP} ${name}.${namespace}.svc.cluster.local\n`,
    )
    .join('');
}
