import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Certificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import { type RunningRedis, runRedisProgram } from './redis-server.ts';
import { runServerProgram } from './server-program.ts';
import { temporaryDirectory } from './temporary.ts';
import { findRedisServer } from './tools.ts';
import { waitUntil } from './wait.ts';

/** Several servers that are one Redis. */
export interface RedisTopologyServers {
  /** `host:port` of the Sentinels, or of the nodes of the cluster. */
  addresses: string[];
  /** Kills the master that has `key`, and resolves to its address. The others promote its replica. */
  killMaster(key: string): Promise<string>;
  /** Resolves to the address of the master that has `key`. */
  masterOf(key: string): Promise<string>;
  stop(): Promise<void>;
}

/** Time after which a silent master counts as down, in milliseconds. */
const downAfterMs = 700;

const host = '127.0.0.1';
const fast = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];

/** Starts a master with a replica, watched by three Sentinels under `name`. */
export async function startRedisSentinels(
  name: string,
  { password = '' }: { password?: string } = {},
): Promise<RedisTopologyServers> {
  const servers = new Map<string, RunningRedis>();
  const guarded = password === '' ? [] : ['--requirepass', password, '--masterauth', password];
  const [master, replica] = [await freePort(), await freePort()];
  await startServer(servers, master, [...fast, ...guarded]);
  await startServer(servers, replica, [...fast, ...guarded, '--replicaof', host, String(master)]);
  const ports = [await freePort(), await freePort(), await freePort()];
  const configuration = [
    `sentinel monitor ${name} ${host} ${master} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 3000`,
    ...(password === '' ? [] : [`sentinel auth-pass ${name} ${password}`]),
  ];
  await Promise.all(ports.map((port) => startSentinel(servers, port, configuration)));
  const addresses = ports.map((port) => `${host}:${port}`);
  const ask = <T>(work: (sentinel: Redis) => Promise<T>) => askServer(addresses[0] ?? '', work);
  const masterOf = async () =>
    ask(async (sentinel) =>
      ((await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as string[]).join(':'),
    );
  await waitUntil(() =>
    ask(async (sentinel) => {
      const fields = (await sentinel.call('SENTINEL', 'MASTER', name)) as string[];
      const value = (field: string) => fields[fields.indexOf(field) + 1];
      return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
    }),
  );
  return running(addresses, servers, masterOf);
}

async function startSentinel(
  servers: Map<string, RunningRedis>,
  port: number,
  configuration: string[],
): Promise<void> {
  const directory = await temporaryDirectory('sentinel');
  const file = join(directory, 'sentinel.conf');
  // A Sentinel writes what it learns into its configuration.
  await writeFile(
    file,
    [`port ${port}`, `bind ${host}`, `dir ${directory}`, ...configuration, ''].join('\n'),
  );
  const args = [file, '--sentinel'];
  servers.set(`${host}:${port}`, await runServerProgram(await redisServer(), args, '+monitor master'));
}

/** Starts a cluster of three masters. The one that has `key` has a replica. */
export async function startRedisCluster(key: string): Promise<RedisTopologyServers> {
  const servers = new Map<string, RunningRedis>();
  const nodeTimeout = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(downAfterMs)];
  const settings = [...fast, ...nodeTimeout, '--cluster-replica-validity-factor', '0'];
  const nodes: ClusterNode[] = [];
  for (let node = 0; node < 4; node += 1) {
    const [port, busPort] = [await freePort(), await freePort()];
    await startServer(servers, port, [...settings, '--cluster-port', String(busPort)]);
    nodes.push({ address: `${host}:${port}`, port, busPort });
  }
  await formCluster(nodes, key);
  const addresses = nodes.map(({ address }) => address);
  return running(addresses, servers, (wanted) => masterInCluster([...servers.keys()], wanted));
}

/** Its bus has a port of its own: the one that Redis would choose, 10,000 above `port`, may belong to another program. */
interface ClusterNode {
  address: string;
  port: number;
  busPort: number;
}

const slots = 16_384;

async function formCluster(nodes: ClusterNode[], key: string): Promise<void> {
  const addresses = nodes.map(({ address }) => address);
  const masters = addresses.slice(0, 3);
  const replica = addresses[3] ?? '';
  const [first = ''] = addresses;
  for (const [index, address] of masters.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * slots) / masters.length));
    await askServer(address, (node) =>
      node.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1)),
    );
  }
  for (const { port, busPort } of nodes.slice(1)) {
    await askServer(first, (node) => node.call('CLUSTER', 'MEET', host, port, busPort));
  }
  const knows = (address: string, count: number) =>
    askServer(address, async (node) => {
      const state = String(await node.call('CLUSTER', 'INFO'));
      return state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${count}`);
    });
  for (const address of addresses) await waitUntil(() => knows(address, addresses.length));
  const master = await masterInCluster(masters, key);
  const id = await askServer(master, async (node) => String(await node.call('CLUSTER', 'MYID')));
  await askServer(replica, (node) => node.call('CLUSTER', 'REPLICATE', id));
  await waitUntil(() =>
    askServer(master, async (node) => (await node.info('replication')).includes('state=online')),
  );
}

/** The address of the master that has the slot of `key`, as the first node that answers knows it. */
async function masterInCluster(addresses: string[], key: string): Promise<string> {
  for (const address of addresses) {
    const found = await askServer(address, async (node) => {
      const slot = Number(await node.call('CLUSTER', 'KEYSLOT', key));
      const ranges = (await node.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
      const range = ranges.find(([from, to]) => slot >= from && slot <= to);
      return range && `${range[2][0]}:${range[2][1]}`;
    }).catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error('No node of the cluster answers.');
}

function running(
  addresses: string[],
  servers: Map<string, RunningRedis>,
  masterOf: (key: string) => Promise<string>,
): RedisTopologyServers {
  return {
    addresses,
    masterOf,
    killMaster: async (key) => {
      const master = await masterOf(key);
      await servers.get(master)?.kill();
      servers.delete(master);
      return master;
    },
    stop: async () => {
      await Promise.all([...servers.values()].map((server) => server.kill()));
    },
  };
}

async function startServer(
  servers: Map<string, RunningRedis>,
  port: number,
  settings: string[],
): Promise<void> {
  const directory = join(await temporaryDirectory('redis'), 'data');
  await mkdir(directory);
  servers.set(`${host}:${port}`, await runRedisProgram(await redisServer(), port, directory, settings));
}

async function redisServer(): Promise<string> {
  const program = await findRedisServer();
  if (program === undefined) throw new Error('Redis is needed: install redis-server.');
  return program;
}

/** Asks one server on a connection of its own. */
async function askServer<T>(address: string, work: (server: Redis) => Promise<T>): Promise<T> {
  const [, port = ''] = address.split(':');
  const server = new Redis({ host, port: Number(port), lazyConnect: true, retryStrategy: () => null });
  // `connect` and the command fail with the same error.
  server.on('error', () => undefined);
  try {
    await server.connect();
    return await work(server);
  } finally {
    server.disconnect();
  }
}

/** Starts a Redis that takes connections with TLS and a client certificate alone. */
export async function startTlsRedis({ ca, server }: Certificates): Promise<RunningRedis & { port: number }> {
  const [port, directory] = [await freePort(), await temporaryDirectory('redis')];
  const files = ['--tls-ca-cert-file', ca, '--tls-cert-file', server.cert, '--tls-key-file', server.key];
  const settings = [...fast, '--tls-port', String(port), '--tls-auth-clients', 'yes', ...files];
  return { ...(await runRedisProgram(await redisServer(), 0, directory, settings)), port };
}
