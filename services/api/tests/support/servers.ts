import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '@continuity/api';
import { loadSettings, type Settings } from '@continuity/kernel/config';
import { claimServer } from '@continuity/kernel/database';
import { Resources, startOnServers } from '@continuity/kernel/process';
import { createLogger, startTelemetry } from '@continuity/kernel/telemetry';
import { startReportWorker } from '@continuity/reports';
import { clientFor, queueEnvironment, waitUntil } from '@continuity/testing';
import { startWorkers } from '@continuity/workers';
import { query } from './sql.ts';
import { clientOf, writeTokens } from './tenants.ts';

/** An entry of `DATABASE_SERVERS_FILE`. */
export interface ServerEntry {
  name: string;
  url: string;
  takes_new_tenants?: boolean;
  tenants?: string[];
}

/** Gives each database the name of its server, as `dist/migrate.mjs` does, and writes the file. Returns its path. */
export async function writeServers(servers: readonly ServerEntry[]): Promise<string> {
  const directory = servers[0]?.name ?? '';
  let cursorKey: Buffer | undefined;
  for (const { name, url } of servers) {
    const key = await claimServer(url, { name, directory }, cursorKey);
    cursorKey ??= key;
  }
  return await writeServersFile(servers);
}

/** Writes a servers file with any content. Returns its path. */
export async function writeServersFile(servers: unknown): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'continuity-servers-')), 'servers.json');
  await writeFile(path, JSON.stringify({ servers }));
  return path;
}

/** A running deployment on several database servers. */
export interface Deployment {
  url: string;
  settings: Settings;
  client(tenant: string): ReturnType<typeof clientOf>;
  stop(): Promise<void>;
}

/** Starts a gateway on several servers, with workers if asked for. `tenants` have a token each. */
export async function startDeployment(
  servers: readonly ServerEntry[],
  tenants: readonly string[],
  { workers = false, environment = {} }: { workers?: boolean; environment?: Record<string, string> } = {},
): Promise<Deployment> {
  const settings = loadSettings({
    PORT: '0',
    LOG_LEVEL: 'fatal',
    JOB_WAIT_MS: '120000',
    MEMORY_AUTO_FLUSH: 'off',
    DATABASE_SERVERS_FILE: await writeServers(servers),
    AUTH_TOKENS_FILE: await writeTokens(...tenants),
    ...queueEnvironment(),
    ...environment,
  });
  const logger = createLogger(settings, 'test');
  const telemetry = await startTelemetry(settings, 'continuity', { logger, scraped: true });
  const open = () => ({
    settings,
    logger,
    telemetry,
    resources: new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS }),
  });
  const services = [open(), open(), open()] as const;
  const gateway = await startGateway(services[0]);
  await gateway.ready;
  if (workers) {
    await startOnServers(services[1], startWorkers);
    await startOnServers(services[2], startReportWorker);
  }
  const client = (tenant: string) => clientOf(gateway.url, tenant);
  const isReady = async () => {
    const { checks } = (await client('nobody').call('get_readiness')).body;
    return Object.entries(checks).every(
      ([name, check]) => check === 'ready' || (!workers && name.startsWith('worker.')),
    );
  };
  await waitUntil(isReady);
  return {
    url: gateway.url,
    settings,
    client,
    stop: async () => {
      for (const { resources } of services) await resources.close();
      await telemetry.shutdown();
    },
  };
}

/** Names of the tenants that a server has. */
export const namesOn = async (url: string) =>
  (await query<{ name: string }>(url, 'SELECT name FROM tenants ORDER BY name')).map(({ name }) => name);

/** Remembers a fact, and returns the status with the code of an error. */
export async function remember({ client }: Deployment, tenant: string, scope_id: string, text: string) {
  const { status, error } = await client(tenant).call('remember_memory', {
    body: { scope_id, kind: 'fact', text },
  });
  return error === undefined ? status : `${status} ${error.code}`;
}

/** A credential that no target has. */
export const unknownCredential = `skt_${'0'.repeat(32)}.${'A'.repeat(43)}`;

/** Sends a request of a Receiver, and returns its status. */
export async function reconcile({ url }: Deployment, credential: string): Promise<number> {
  const client = clientFor(url, { authorization: `Bearer ${credential}` });
  const body = { observations: [], receiver_version: '1.0.0' };
  return (await client.call('reconcile_remote_skills', { body })).status;
}
