import { z } from 'zod';
import { databaseUrlProblem } from './address.ts';
import { readSecretFile } from './environment.ts';
import { SettingsError } from './load.ts';
import type { Settings } from './settings.ts';
import { serverName } from './value-types.ts';

const setting = 'DATABASE_SERVERS_FILE';

/** Limit of the servers of a deployment: each process has a pool for each of them. */
const maxServers = 32;

const gibibyte = 1024 ** 3;

const serversFile = z.strictObject({
  servers: z
    .array(
      z.strictObject({
        name: serverName,
        url: z.string().min(1),
        direct_url: z.string().min(1).optional(),
        capacity_gib: z.number().positive().max(1_000_000).optional(),
        takes_new_tenants: z.boolean().default(true),
        tenants: z.array(z.string().min(1).max(256)).max(1_000).default([]),
      }),
    )
    .min(1)
    .max(maxServers),
});

/** A database server of a deployment with several. */
export interface DatabaseServer {
  name: string;
  url: string;
  /** PostgreSQL itself, if `url` is a pooler in transaction mode. */
  directUrl: string | undefined;
  /** Size that the database may have; undefined if the operator does not say. */
  capacityBytes: number | undefined;
  /** Whether tenants that no server names are placed here. */
  takesNewTenants: boolean;
  /** Names of tenants that are placed here when they are created. */
  tenants: readonly string[];
}

/**
 * Reads `DATABASE_SERVERS_FILE`. The first server has the directory of all tenants. Undefined without the setting. Throws a
 * `SettingsError`, which contains no value of the file but names.
 */
export function databaseServersOf(
  settings: Pick<Settings, 'DATABASE_SERVERS_FILE'>,
): DatabaseServer[] | undefined {
  const path = settings.DATABASE_SERVERS_FILE;
  if (path === undefined) return undefined;
  const parsed = serversFile.safeParse(readJson(path));
  if (!parsed.success) throw new SettingsError(shapeSentence(parsed.error));
  const { servers } = parsed.data;
  refuseTwice(
    servers.map(({ name }) => name),
    'server',
  );
  refuseTwice(
    servers.map(({ url }) => url),
    'URL',
  );
  refuseTwice(
    servers.flatMap(({ tenants }) => tenants),
    'tenant',
  );
  return servers.map((server) => {
    for (const field of ['url', 'direct_url'] as const) checkUrl(server.name, field, server[field]);
    return {
      name: server.name,
      url: server.url,
      directUrl: server.direct_url,
      capacityBytes: server.capacity_gib && server.capacity_gib * gibibyte,
      takesNewTenants: server.takes_new_tenants,
      tenants: server.tenants,
    };
  });
}

/** A database server as a process uses it. */
export interface ConfiguredServer {
  /** The settings with the addresses and queues of this server. */
  settings: Settings;
  /** Identity that its database must have. Undefined in a deployment with one server, and so is `entry`. */
  server: { name: string; directory: string } | undefined;
  entry: DatabaseServer | undefined;
}

/** All database servers: those of `DATABASE_SERVERS_FILE`, the first one first, or the one of `DATABASE_URL`. Throws a `SettingsError`. */
export function serversOf(settings: Settings): ConfiguredServer[] {
  const entries = databaseServersOf(settings);
  const directory = entries?.[0]?.name;
  if (entries === undefined || directory === undefined)
    return [{ settings, server: undefined, entry: undefined }];
  return entries.map((entry, index) => ({
    settings: settingsOfServer(settings, entry, index === 0),
    server: { name: entry.name, directory },
    entry,
  }));
}

/**
 * The settings of what a process does on one server. In Redis, each server has keys of its own: the queues name jobs, which are rows of
 * the server. The first one keeps those of a deployment with one server.
 */
export function settingsOfServer(
  settings: Settings,
  { name, url, directUrl }: DatabaseServer,
  isFirst: boolean,
): Settings {
  return {
    ...settings,
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl,
    QUEUE_PREFIX: isFirst ? settings.QUEUE_PREFIX : `${settings.QUEUE_PREFIX}@${name}`,
  };
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readSecretFile(setting, path);
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError(`${setting} is no JSON.`);
  }
}

function checkUrl(name: string, field: string, url: string | undefined): void {
  const problem =
    url === undefined
      ? undefined
      : databaseUrlProblem(`The ${field} of the server "${name}" in ${setting}`, url);
  if (problem !== undefined) throw new SettingsError(problem);
}

function refuseTwice(values: readonly string[], what: 'server' | 'URL' | 'tenant'): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value))
      throw new SettingsError(
        what === 'URL' ? `${setting} has a URL twice.` : `${setting} has the ${what} "${value}" twice.`,
      );
    seen.add(value);
  }
}

/** Names the place of the first problem, and never its value. */
function shapeSentence({ issues }: z.ZodError): string {
  const [first] = issues;
  const place =
    first?.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('') ?? '';
  const problem = first?.code === 'unrecognized_keys' ? 'has an unknown field' : 'is invalid';
  return (
    `${setting} must contain {"servers":[{"name":"…","url":"postgresql://…"}]}, each with an optional direct_url, capacity_gib, ` +
    `takes_new_tenants and tenants: ${place.replace(/^\./, '') || 'the whole'} ${problem}.`
  );
}
